"""Whether a tensor depends on no data: it is computed from parameters, buffers, ranges and numbers alone.

Such a tensor has no batch, so it is not paired with one by mistake. It is traced back through the recorded origins of
tensors; what they do not show counts as data, and so do random numbers, which examples use as data.
"""

from __future__ import annotations

from typing import Final

from shapecheck.ops import ModuleSpec
from shapecheck.spec import Dim, DType, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._filled_items import is_filled

_MOST: Final = 64
_FILLED: Final = frozenset("zeros ones full arange range linspace logspace eye tri hann_window hamming_window".split())
_RANDOM: Final = frozenset("normal uniform bernoulli multinomial poisson exponential cauchy geometric dropout".split())
_NUMBERS: Final = (bool, int, float, complex, Dim, UnknownFloat)
_PLAIN: Final = (*_NUMBERS, str, type(None), slice, type(...), DType, ExternalReference)


def is_constant(run: Run, tensor: TensorSpec) -> bool:
    """Whether all that a tensor is computed from is known to be no data."""
    waiting: list[Value] = [tensor]
    for _ in range(_MOST):
        if not waiting:
            return True
        value = waiting.pop()
        sources = _sources(run, value) if isinstance(value, TensorSpec) else _items(value)
        if sources is None:
            return False
        waiting += sources
    return False


def _sources(run: Run, tensor: TensorSpec) -> tuple[Value, ...] | None:
    """What a tensor is computed from; None if that is data, or unknown."""
    made = run.origins.of_tensor(tensor)
    if made is None:
        return None
    name = made.callee.name if isinstance(made.callee, ModuleSpec) else made.callee.rpartition(".")[2]
    operands = (*made.args, *made.kwargs.values())
    if name == "Parameter":
        return ()
    if run.origins.is_overwritten(tensor) or is_filled(run, tensor):
        return None
    if name in _FILLED:
        return tuple(one for one in operands if isinstance(one, TensorSpec))
    if name.rstrip("_") in _RANDOM or "rand" in name:
        return None
    return operands if name in ("tensor", "as_tensor") or _has_tensor(operands) else None


def _items(value: Value) -> tuple[Value, ...] | None:
    """The items of a collection, none of a number; None if the value is unknown."""
    if isinstance(value, ListValue):
        return None if value.lost else tuple(value.items)
    if type(value) is tuple:
        return value
    return () if isinstance(value, _PLAIN) else None


def _has_tensor(operands: tuple[Value, ...]) -> bool:
    """Whether a tensor is among the operands, or in a list of them."""
    for one in operands:
        items = one.items if isinstance(one, ListValue) else one if type(one) is tuple else (one,)
        if any(isinstance(item, TensorSpec) for item in items):
            return True
    return False
