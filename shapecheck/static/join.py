"""What holds of two values, whichever it is."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Shape, Size, TensorSpec, unknown
from shapecheck.static.values import Value


def join(one: Value, other: Value) -> Value:
    """A value of which everything known holds of both; Unknown where nothing does."""
    if one is other or same_value(one, other):
        return one
    if isinstance(one, TensorSpec) and isinstance(other, TensorSpec):
        return _join_tensors(one, other)
    if type(one) is tuple and type(other) is tuple and len(one) == len(other):
        return tuple(join(a, b) for a, b in zip(one, other, strict=True))
    return Unknown("two branches give different values")


def same_value(one: Value, other: Value) -> bool:
    """Whether two values are equal, as far as equality of plain values goes."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (bool, int, float, str, Dim, TensorSpec, type(None))):
        return bool(one == other)
    if type(one) is tuple:
        return len(one) == len(other) and all(map(same_value, one, other))
    return False


def _join_tensors(one: TensorSpec, other: TensorSpec) -> TensorSpec:
    dtype = one.dtype if one.dtype is other.dtype else None
    a, b = one.shape, other.shape
    if a.rank is None or a.rank != b.rank:
        shape = a if a == b else Shape.anything()
    else:
        shape = Shape(tuple(_join_sizes(x, y) for x, y in zip(a.dims, b.dims, strict=True)))
    same_layout = one.layout == other.layout and one.strides == other.strides and shape == a
    return TensorSpec.make(
        shape,
        dtype,
        one.layout if same_layout else "unknown",
        one.device if one.device == other.device else None,
        one.strides if same_layout else None,
    )


def _join_sizes(one: Size, other: Size) -> Size:
    return one if one == other else unknown(low=0)
