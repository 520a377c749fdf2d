"""Operators on arrays and numbers, and subscripts of arrays."""

from __future__ import annotations

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Shape, ShapeError, TensorSpec, Unanswered, broadcast
from shapecheck.spec.dtype import bool_
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.models.numpy.array_like import as_array
from shapecheck.static.models.numpy.dtypes import mean_dtype, promote_operands

_COMPARISONS = frozenset("== != < <= > >=".split())
_NUMBERS = (bool, int, float)


def binary(symbol: str, left: Value, right: Value) -> Value:
    """The result of an operator on two operands, each an array, a list or a number."""
    a, b = as_array(left), as_array(right)
    if a is None or b is None:
        return Unknown("unknown operands")
    shape = _result_shape(symbol, a, b)
    if shape is None:
        return Unknown("arrays that cannot be broadcast")
    if symbol in _COMPARISONS:
        return ArraySpec.of(shape, bool_)
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        return Unknown("an unknown array")
    if isinstance(left, _NUMBERS):
        dtype = promote_operands(b, left)
    else:
        dtype = promote_operands(a, right if isinstance(right, _NUMBERS) else b)
    return ArraySpec.of(shape, mean_dtype(dtype) if symbol == "/" else dtype)


def _result_shape(symbol: str, a: ArraySpec, b: ArraySpec) -> Shape | None:
    """The shape of the result of an operator; None if it is unknown or the operands cannot be broadcast."""
    try:
        if symbol != "@":
            return broadcast(a.shape, b.shape).shape
        product = infer("matmul", a.spec.with_dtype(None), b.spec.with_dtype(None))
    except (ShapeError, Unanswered):
        return None
    return product.shape if isinstance(product, TensorSpec) else None


def item(value: ArraySpec, key: Value) -> Value:
    """The value of `array[key]`, for keys that numpy and torch interpret in the same way."""
    try:
        found = infer("__getitem__", value.spec, _operator_key(key))
    except ShapeError:
        return Unknown("an invalid index of an array")
    return ArraySpec(found) if isinstance(found, TensorSpec) else Unknown("an unknown slice of an array")


def _operator_key(key: Value) -> Value:
    if type(key) is tuple:
        return tuple(map(_operator_key, key))
    return key.spec if isinstance(key, ArraySpec) else to_ops(key)
