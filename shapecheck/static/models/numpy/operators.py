"""Operators between arrays and numbers, and subscripts of arrays."""

from __future__ import annotations

from shapecheck.ops import Unknown, infer
from shapecheck.spec import ShapeError, TensorSpec, broadcast
from shapecheck.spec.dtype import bool_
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.models.numpy.dtypes import mean_dtype, promoted
from shapecheck.static.models.numpy.reading import as_array

_COMPARING = frozenset("== != < <= > >=".split())


def binary(symbol: str, left: Value, right: Value) -> Value:
    """What an operator gives for an array and an array, a list or a number."""
    a, b = as_array(left), as_array(right)
    if a is None or b is None:
        return Unknown("operands are unknown")
    try:
        if symbol == "@":
            shape = infer("matmul", a.spec.with_dtype(None), b.spec.with_dtype(None)).shape
        else:
            shape = broadcast(a.shape, b.shape).shape
    except (ShapeError, AttributeError):
        return Unknown("arrays that do not fit")
    if symbol in _COMPARING:
        return ArraySpec.of(shape, bool_)
    weak = [one if isinstance(one, (bool, int, float)) else read for one, read in ((left, a), (right, b))]
    dtype = promoted(*weak)
    return ArraySpec.of(shape, mean_dtype(dtype) if symbol == "/" else dtype)


def unary(value: ArraySpec) -> ArraySpec:
    """`-x`, `+x` and `~x`."""
    return value.with_dtype(value.dtype)


def item(value: ArraySpec, key: Value) -> Value:
    """`array[key]`: where numpy and torch read a subscript in the same way."""
    try:
        found = infer("__getitem__", value.spec, _outward(key))
    except ShapeError:
        return Unknown("an index that does not fit")
    return ArraySpec(found) if isinstance(found, TensorSpec) else Unknown("an unknown part of an array")


def _outward(key: Value) -> Value:
    if type(key) is tuple:
        return tuple(map(_outward, key))
    return key.spec if isinstance(key, ArraySpec) else to_ops(key)
