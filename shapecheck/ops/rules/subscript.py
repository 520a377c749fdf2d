"""The items of a subscript `x[...]`, as torch/csrc/autograd/python_variable_indexing.cpp reads them."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import Any

from shapecheck.ops.rules.slicing import sliced_size
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Dim, ShapeError, Size, TensorSpec, Unanswered, at_least, minimum, unknown
from shapecheck.spec.dtype import bool_, int64, uint8
from shapecheck.spec.presentation import value_text

MASKS = (bool_, uint8)

_MOST_ITEMS = 256
_NESTED = (list, tuple, slice, TensorSpec, EllipsisType, type(None))


def items_of(key: Any) -> list[Any]:
    """The items of a subscript, each an int, a Dim, a slice, None, `...`, a bool, a list of ints or a TensorSpec.

    Raises CallError for an invalid index, Unanswered for an unknown item.
    """
    if isinstance(key, tuple):
        if len(key) > _MOST_ITEMS:
            raise Unanswered(f"subscript of {len(key)} items")
        return [_item(item) for item in key]
    if isinstance(key, list) and len(key) < 32 and any(isinstance(item, _NESTED) for item in key):
        return [_item(item) for item in key]  # torch still treats such a list as a tuple
    return [_item(key)]


def _item(item: Any) -> Any:
    if item is None or item is ... or isinstance(item, (int, Dim, slice, TensorSpec)):
        return item
    if isinstance(item, Unknown):
        raise Unanswered("unknown index")
    if isinstance(item, (list, tuple, range)):
        return list(item) if item and all(type(one) is int for one in item) else _as_tensor(item)
    if isinstance(item, (str, float, complex, dict)) or not hasattr(item, "__index__"):
        raise CallError(
            f"expected an index of ints, slices, `...`, None and integer or bool tensors, got {value_text(item)}"
        )
    return item.__index__()


def _as_tensor(values: Sequence[Any]) -> TensorSpec:
    """A list of ints or bools as torch.tensor converts it; an empty one counts as ints."""
    dims: list[Size] = []
    level: Any = values
    while isinstance(level, (list, tuple, range)) and len(dims) < 64:
        dims.append(len(level))
        if not len(level):
            return TensorSpec(dims, int64, "contiguous")
        level = level[0]
    if isinstance(level, TensorSpec) and level.rank == 0:
        return TensorSpec(dims, level.dtype, "contiguous")
    if not isinstance(level, (int, Dim)):
        raise Unanswered(f"list with an item of unknown kind as an index: {value_text(level)}")
    return TensorSpec(dims, bool_ if isinstance(level, bool) else int64, "contiguous")


def axes_used(item: Any) -> int:
    """How many dimensions of the tensor an item of a subscript indexes."""
    if item is None or item is ... or isinstance(item, bool):
        return 0
    if isinstance(item, TensorSpec) and item.dtype in MASKS:
        if item.rank is None:
            raise Unanswered("mask of unknown rank")
        return item.rank
    return 1


def sliced(size: Size, item: slice) -> tuple[Size, Size]:
    """The size of a dimension after a slice, and the slice's step. Raises ShapeError for a step that torch rejects."""
    step = 1 if item.step is None else _bound(item.step)
    if at_least(0, step):
        raise ShapeError(f"expected the step of a slice to be positive, got {step}")
    start = None if item.start is None else _bound(item.start)
    stop = None if item.stop is None else _bound(item.stop)
    if stop is None and start is not None and start != -1 and at_least(-1, start):
        return (minimum(size, -start) + step - 1) // step, step  # the last ones
    return sliced_size(size, start, stop, step), step


def _bound(value: Any) -> Size:
    """A bound of a slice, which may be an unknown integer."""
    if isinstance(value, (int, Dim)):
        return int(value) if isinstance(value, bool) else value
    if isinstance(value, (Unknown, TensorSpec)):
        return unknown()
    if isinstance(value, (float, str)) or not hasattr(value, "__index__"):
        raise CallError(f"expected slice bounds to be ints or None, got {value_text(value)}")
    return int(value.__index__())
