"""The dimensions of the operands of a product that it sums over, counted from the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shapecheck.spec import TensorSpec, same
from shapecheck.static.engine.hooks import AbstractCall


class Contracted(NamedTuple):
    """An operand of a product, and which of its dimensions the product sums over."""

    operand: TensorSpec
    axes: tuple[int, ...]


def contracted_axes(call: AbstractCall) -> Sequence[Contracted]:
    """Both operands of a matrix product, linear, or an einsum of two; nothing for a product that torch refuses."""
    found = _operands(call)
    sizes = [one.operand.shape.size(one.axes[0]) for one in found]
    return () if len(sizes) == 2 and same(*sizes) is False else found


def _operands(call: AbstractCall) -> Sequence[Contracted]:
    given = (*call.args, *call.kwargs.values())
    tensors = [one for one in given if isinstance(one, TensorSpec)]
    if call.name == "einsum":
        return _of_einsum(call, tensors)
    if len(tensors) < 2 or list(given[:2]) != tensors[:2] or any(one.rank in (0, 1) for one in tensors[:2]):
        return ()
    left, right = tensors[:2]
    return Contracted(left, (-1,)), Contracted(right, (-1 if call.name == "linear" else -2,))


def _of_einsum(call: AbstractCall, tensors: Sequence[TensorSpec]) -> Sequence[Contracted]:
    names = _names(call)
    if len(tensors) != 2 or len(names) != 3:
        return ()
    left, right, result = names
    found = []
    for operand, own, others in ((tensors[0], left, right), (tensors[1], right, left)):
        axes = [at - len(own) for at, name in enumerate(own) if name not in result and name in others]
        if axes and operand.rank in (len(own), None):
            found.append(Contracted(operand, tuple(axes)))
    return found


def _names(call: AbstractCall) -> tuple[Sequence[str], ...]:
    """The names of the dimensions of each operand, then those of the result; nothing for another form."""
    pattern = next((one for one in call.args if isinstance(one, str)), "")
    if "->" not in pattern or "..." in pattern or "(" in pattern:
        return ()
    operands, _, result = pattern.partition("->")
    split = str.split if call.operator.startswith("einops") else _letters
    return tuple(split(one) for one in (*operands.split(","), result))


def _letters(names: str) -> Sequence[str]:
    return names.replace(" ", "")
