"""Attributes and methods of arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.spec import DType
from shapecheck.spec.dtype import bool_, int64
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.values import BuiltinMethod
from shapecheck.static.models.numpy.array_like import as_array
from shapecheck.static.models.numpy.calling import Rule, apply_torch_operator, call_rule, reduced_shape
from shapecheck.static.models.numpy.dtypes import dtype_named, mean_dtype, name_of, promote_operands, sum_dtype
from shapecheck.static.models.numpy.operators import binary


def attribute_of(value: ArraySpec, name: str) -> Value:
    """The value of `array.name`."""
    if name in METHODS:
        return BuiltinMethod(value, name)
    shape = value.shape
    if name == "dtype":
        return Unknown("an unknown dtype") if value.dtype is None else name_of(value.dtype)
    if name == "T" and shape.rank is not None:
        return _transpose(value)
    if name in ("shape", "ndim") and shape.rank is not None:
        return shape.dims if name == "shape" else shape.rank
    return Unknown(f"unsupported {name} of an array")


def call_of(method: BuiltinMethod, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of a method of an array."""
    return call_rule(METHODS[method.name], (method.receiver, *args), kwargs)


# -- reductions


DTypeRule = Callable[[DType | None], DType | None]
"""A function from the dtype of an array to that of a result."""


def _keep_dtype(dtype: DType | None) -> DType | None:
    return dtype


def _reduction(dtype_of: DTypeRule) -> Rule:
    """The rule of a reduction with a `dtype` parameter, such as `np.sum`."""

    def reduce(
        a: Value, axis: Value = None, dtype: Value = None, out: None = None, keepdims: Value = False, **_: Value
    ) -> Value:
        array = as_array(a)
        if array is None:
            return Unknown("an unknown array")
        kind = dtype_of(array.dtype) if dtype is None else dtype_named(dtype)
        return ArraySpec.of(reduced_shape(array.shape, axis, keepdims), kind)

    return reduce


def _reduction_without_dtype(dtype_of: DTypeRule) -> Rule:
    """The rule of a reduction without a `dtype` parameter, such as `np.max`."""

    def reduce(a: Value, axis: Value = None, out: None = None, keepdims: Value = False, **_: Value) -> Value:
        array = as_array(a)
        if array is None:
            return Unknown("an unknown array")
        return ArraySpec.of(reduced_shape(array.shape, axis, keepdims), dtype_of(array.dtype))

    return reduce


def _cumulative(a: Value, axis: Value = None, dtype: Value = None) -> Value:
    array = as_array(a)
    if array is None or (axis is None and array.shape.rank != 1):
        return Unknown("an unknown array")
    return array.with_dtype(sum_dtype(array.dtype) if dtype is None else dtype_named(dtype))


# -- shape, dtype and values


def _reshape(a: Value, *shape: Value, order: Value = "C", **_: Value) -> Value:
    return apply_torch_operator("reshape", a, shape[0] if len(shape) == 1 else shape)


def _transpose(a: Value, *axes: Value) -> Value:
    array = as_array(a)
    if array is None:
        return Unknown("an unknown array")
    order = axes[0] if len(axes) == 1 and type(axes[0]) is tuple else axes
    return apply_torch_operator("permute", array, order or tuple(reversed(range(len(array.shape.dims)))))


def _squeeze(a: Value, axis: Value = None) -> Value:
    return apply_torch_operator("squeeze", a) if axis is None else apply_torch_operator("squeeze", a, axis)


def _repeat(a: Value, repeats: Value, axis: Value = None) -> Value:
    if type(repeats) is not int:
        return Unknown("an unknown number of repetitions")
    if axis is None:
        return apply_torch_operator("repeat_interleave", a, repeats)
    return apply_torch_operator("repeat_interleave", a, repeats, dim=axis)


def _astype(a: Value, dtype: Value, **_: Value) -> Value:
    array = as_array(a)
    return Unknown("an unknown array") if array is None else array.with_dtype(dtype_named(dtype))


def _copy(a: Value, *_: Value, **__: Value) -> Value:
    return as_array(a) or Unknown("an unknown array")


def _clip(a: Value, *limits: Value, **_: Value) -> Value:
    array = as_array(a)
    if array is None:
        return Unknown("an unknown array")
    dtype = array.dtype
    for one in limits:
        if one is not None:
            dtype = None if dtype is None else promote_operands(array.with_dtype(dtype), one)
    return array.with_dtype(dtype)


def _item(a: Value, *_: Value) -> Value:
    return Unknown("a number from an array")


METHODS: dict[str, Rule] = {
    "sum": _reduction(sum_dtype),
    "prod": _reduction(sum_dtype),
    "mean": _reduction(mean_dtype),
    "std": _reduction(mean_dtype),
    "var": _reduction(mean_dtype),
    "max": _reduction_without_dtype(_keep_dtype),
    "min": _reduction_without_dtype(_keep_dtype),
    "argmax": _reduction_without_dtype(lambda _: int64),
    "argmin": _reduction_without_dtype(lambda _: int64),
    "any": _reduction_without_dtype(lambda _: bool_),
    "all": _reduction_without_dtype(lambda _: bool_),
    "cumsum": _cumulative,
    "cumprod": _cumulative,
    "reshape": _reshape,
    "transpose": _transpose,
    "swapaxes": partial(apply_torch_operator, "transpose"),
    "squeeze": _squeeze,
    "flatten": lambda a, *_: apply_torch_operator("flatten", a),
    "ravel": lambda a, *_: apply_torch_operator("flatten", a),
    "repeat": _repeat,
    "astype": _astype,
    "copy": _copy,
    "round": _copy,
    "clip": _clip,
    "dot": lambda a, b: binary("@", a, b),
    "item": _item,
    "tolist": _item,
}
