"""Converts what numpy calls array_like: numbers, ranges, and nested lists and tuples of arrays and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.spec import Dim, DType, Shape, Size, same
from shapecheck.spec.dtype import bool_, float64, int64
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.models.numpy.dtypes import promote_dtypes

MAX_NESTED = 16
"""How deep lists may be nested; a list may contain itself."""


def as_array(value: Value, depth: int = 0) -> ArraySpec | None:
    """The result of `np.array(value)`; None if its shape is unknown."""
    if isinstance(value, ArraySpec):
        return value
    scalar_dtype = _scalar_dtype(value)
    if scalar_dtype is not None:
        return ArraySpec.of((), scalar_dtype)
    if isinstance(value, range):
        return ArraySpec.of((len(value),), int64)
    if isinstance(value, ListValue) and not value.lost:
        value = value.items
    if type(value) is not tuple or depth > MAX_NESTED:
        return None
    return _stacked([as_array(one, depth + 1) for one in value])


def _scalar_dtype(value: Value) -> DType | None:
    """The dtype that numpy gives a Python number; None for any other value."""
    dtypes = {_number_dtype(one) for one in members_of(value)}
    return dtypes.pop() if len(dtypes) == 1 else None


def _number_dtype(value: Value) -> DType | None:
    if isinstance(value, bool):
        return bool_
    if isinstance(value, (int, Dim)):
        return int64
    return float64 if isinstance(value, float) else None


def _stacked(items: Sequence[ArraySpec | None]) -> ArraySpec | None:
    """The array whose rows are these arrays; None if their shapes may differ."""
    if not items:
        return ArraySpec.of((0,), float64)
    known = [one for one in items if one is not None]
    if len(known) < len(items) or not all(_have_same_shape(known[0].shape, one.shape) for one in known):
        return None
    dtype: DType | None = known[0].dtype
    for one in known:
        dtype = None if dtype is None or one.dtype is None else promote_dtypes(dtype, one.dtype)
    return ArraySpec.of(known[0].shape.inserted(0, len(items)), dtype)


def _have_same_shape(one: Shape, other: Shape) -> bool:
    """Whether two shapes are equal for all sizes."""
    if one.rank is None or one.rank != other.rank:
        return False
    return all(same(a, b) is True for a, b in zip(one.dims, other.dims, strict=True))


def shape_argument(value: Value) -> tuple[Size, ...] | None:
    """The sizes in a shape argument of numpy, an integer or a sequence of integers; None if one is unknown."""
    if isinstance(value, ListValue) and not value.lost:
        value = value.items
    items = value if type(value) is tuple else (value,)
    known = tuple(one for one in items if is_integer(one))
    return known if len(known) == len(items) else None
