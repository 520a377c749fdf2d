"""`F.linear(F.normalize(x), F.normalize(weight, dim=0))`: not a cosine similarity.

The product of two normalized operands is the cosine of their angle if both are normalized along the dimension that
the product sums over. Nothing is said if neither is: then a mean direction, and not a similarity, is computed.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple

from shapecheck.spec import TensorSpec
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._contracted_axes import Contracted, contracted_axes
from shapecheck.static.rules._normalizations import PASSING, axis_of, name_of, written_axes

_CODE: Final = "normalized-axis"
_MOST_HOPS = 12
_DEFAULT_AXIS = 1
_LAST = frozenset(("-1",))


class _Along(Enum):
    """Whether a tensor is normalized along the dimension that a product sums over."""

    SUMMED = auto()
    OTHER = auto()
    OPEN = auto()


class _Found(NamedTuple):
    along: _Along
    operand: Contracted
    axis: int


@before(_CODE, "matmul", "mm", "bmm", "@", "einsum", "linear")
def of_similarity(call: AbstractCall) -> None:
    """Reports a product of two normalized tensors, one of them along another dimension."""
    if written_axes(call.run.loaded.tree).get("normalize", _LAST) <= _LAST:
        return
    operands = contracted_axes(call)
    if len(operands) < 2 or any(len(one.axes) > 1 for one in operands):
        return
    if not call.run.origins.noted:
        call.run.report(_CODE, call.node, "normalize")
        return
    found = [one for operand in operands if (one := _normalized(call.run, operand)) is not None]
    wrong = [one for one in found if one.along is _Along.OTHER]
    if len(found) < 2 or len(wrong) != 1:
        return
    ((_, (operand, axes), axis),) = wrong
    message = f"{call.name}: sums over dimension {axes[0]} of {operand.shape}, but normalize scaled along dimension"
    call.run.report(_CODE, call.node, f"{message} {axis}, so the result is not a cosine similarity")


def _normalized(run: Run, contracted: Contracted) -> _Found | None:
    """How an operand is normalized, also if it was transposed since; None if it is not."""
    value, axis = contracted.operand, contracted.axes[0]
    for _ in range(_MOST_HOPS):
        made = run.origins.of_tensor(value)
        source = made.args[0] if made is not None and made.args else None
        if made is None or not isinstance(source, TensorSpec):
            return None
        name = name_of(made)
        if name == "normalize":
            return _found(made, axis, contracted)
        if name not in PASSING:
            moved = _before(made, name, axis)
            if moved is None:
                return None
            axis = moved
        value = source
    return None


def _found(made: TensorOrigin, summed: int, contracted: Contracted) -> _Found | None:
    axis = axis_of(made, place=2, default=_DEFAULT_AXIS)
    order = made.kwargs.get("p", made.args[1] if len(made.args) > 1 else 2)
    if axis is None or order != 2 or not isinstance(made.value, TensorSpec):
        return None
    rank = made.value.rank
    if axis >= 0 and rank is None:
        return _Found(_Along.OPEN, contracted, axis)
    from_end = axis if axis < 0 or rank is None else axis - rank
    return _Found(_Along.SUMMED if from_end == summed else _Along.OTHER, contracted, axis)


def _before(made: TensorOrigin, name: str, axis: int) -> int | None:
    """The dimension that a dimension of a transposed tensor was, both counted from the end; None if that is unknown."""
    exchanged = _exchanged(made, name)
    if exchanged is None:
        return None
    one, other = exchanged
    return {one: other, other: one}.get(axis, axis)


def _exchanged(made: TensorOrigin, name: str) -> tuple[int, int] | None:
    rank = made.value.rank if isinstance(made.value, TensorSpec) else None
    if name in ("t", "mT") or (name == "T" and rank == 2):
        return -1, -2
    given = made.args[1:]
    if name not in ("transpose", "swapaxes", "swapdims") or len(given) != 2:
        return None
    axes = [one if one < 0 else one - (rank or 0) for one in given if type(one) is int and (rank or one < 0)]
    return (axes[0], axes[1]) if len(axes) == 2 else None
