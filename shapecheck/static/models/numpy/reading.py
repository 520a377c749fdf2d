"""What numpy makes of Python's numbers and lists, and of arrays among them."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.spec import Dim, DType, Shape, Size, same
from shapecheck.spec.dtype import bool_, float64, int64
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.domain.values import ListValue, Value
from shapecheck.static.models.numpy.dtypes import of_arrays

_DEEPEST = 16


def as_array(value: Value, depth: int = 0) -> ArraySpec | None:
    """The array that `np.array(value)` gives; None where its shape is not known."""
    if isinstance(value, ArraySpec):
        return value
    number = _number(value)
    if number is not None:
        return ArraySpec.of((), number)
    if isinstance(value, range):
        return ArraySpec.of((len(value),), int64)
    if isinstance(value, ListValue) and not value.lost:
        value = value.items
    if type(value) is not tuple or depth > _DEEPEST:
        return None
    return _of_items([as_array(one, depth + 1) for one in value])


def _number(value: Value) -> DType | None:
    kinds = {_kind(one) for one in members_of(value)}
    return kinds.pop() if len(kinds) == 1 else None


def _kind(value: Value) -> DType | None:
    if isinstance(value, bool):
        return bool_
    if isinstance(value, (int, Dim)):
        return int64
    return float64 if isinstance(value, float) else None


def _of_items(items: Sequence[ArraySpec | None]) -> ArraySpec | None:
    if not items:
        return ArraySpec.of((0,), float64)
    known = [one for one in items if one is not None]
    if len(known) < len(items) or not all(_alike(known[0].shape, one.shape) for one in known):
        return None
    dtype: DType | None = known[0].dtype
    for one in known:
        dtype = None if dtype is None or one.dtype is None else of_arrays(dtype, one.dtype)
    return ArraySpec.of(known[0].shape.inserted(0, len(items)), dtype)


def _alike(one: Shape, other: Shape) -> bool:
    if one.rank is None or one.rank != other.rank:
        return False
    return all(same(a, b) is True for a, b in zip(one.dims, other.dims, strict=True))


def sizes(value: Value) -> tuple[Size, ...] | None:
    """A shape as numpy's functions take it: a number, or numbers in a list or tuple."""
    if isinstance(value, ListValue) and not value.lost:
        value = value.items
    given = value if type(value) is tuple else (value,)
    return given if all(map(is_integer, given)) else None
