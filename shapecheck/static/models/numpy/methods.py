"""Attributes and methods of an array."""

from __future__ import annotations

from functools import partial

from shapecheck.ops import Unknown
from shapecheck.spec import DType
from shapecheck.spec.dtype import bool_, int64
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.values import BuiltinMethod, Value
from shapecheck.static.models.numpy.calling import Rule, as_torch_does, call_rule, reduced
from shapecheck.static.models.numpy.dtypes import dtype_named, mean_dtype, name_of, promoted, sum_dtype
from shapecheck.static.models.numpy.operators import binary
from shapecheck.static.models.numpy.reading import as_array


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
    return Unknown(f"{name} of an array")


def call_of(method: BuiltinMethod, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """What a method of an array gives."""
    return call_rule(METHODS[method.name], (method.receiver, *args), kwargs)


# -- reductions


def _same(dtype: DType | None) -> DType | None:
    return dtype


def reduction(dtype_of: Rule) -> Rule:
    """A function like `np.sum`, with the dtype that it gives for an array's."""

    def reduces(
        a: Value, axis: Value = None, dtype: Value = None, out: None = None, keepdims: Value = False, **_: Value
    ) -> Value:
        given = as_array(a)
        if given is None:
            return Unknown("an unknown array")
        kind = dtype_of(given.dtype) if dtype is None else dtype_named(dtype)
        return ArraySpec.of(reduced(given.shape, axis, keepdims), kind)

    return reduces


def extremum(dtype_of: Rule) -> Rule:
    """A function like `np.max`, which takes no dtype."""

    def reduces(a: Value, axis: Value = None, out: None = None, keepdims: Value = False, **_: Value) -> Value:
        given = as_array(a)
        if given is None:
            return Unknown("an unknown array")
        return ArraySpec.of(reduced(given.shape, axis, keepdims), dtype_of(given.dtype))

    return reduces


def _cumulated(a: Value, axis: Value = None, dtype: Value = None) -> Value:
    given = as_array(a)
    if given is None or (axis is None and given.shape.rank != 1):
        return Unknown("an unknown array")
    return given.with_dtype(sum_dtype(given.dtype) if dtype is None else dtype_named(dtype))


# -- other shapes


def _reshape(a: Value, *shape: Value, order: Value = "C", **_: Value) -> Value:
    return as_torch_does("reshape", a, shape[0] if len(shape) == 1 else shape)


def _transpose(a: Value, *axes: Value) -> Value:
    given = as_array(a)
    if given is None:
        return Unknown("an unknown array")
    order = axes[0] if len(axes) == 1 and type(axes[0]) is tuple else axes
    return as_torch_does("permute", given, order or tuple(reversed(range(len(given.shape.dims)))))


def _squeeze(a: Value, axis: Value = None) -> Value:
    return as_torch_does("squeeze", a) if axis is None else as_torch_does("squeeze", a, axis)


def _repeat(a: Value, repeats: Value, axis: Value = None) -> Value:
    if type(repeats) is not int:
        return Unknown("an unknown number of repetitions")
    return as_torch_does("repeat_interleave", a, repeats, **({} if axis is None else {"dim": axis}))


def _astype(a: Value, dtype: Value, **_: Value) -> Value:
    given = as_array(a)
    return Unknown("an unknown array") if given is None else given.with_dtype(dtype_named(dtype))


def _copy(a: Value, *_: Value, **__: Value) -> Value:
    return as_array(a) or Unknown("an unknown array")


def _clip(a: Value, *limits: Value, **_: Value) -> Value:
    given = as_array(a)
    if given is None:
        return Unknown("an unknown array")
    dtype = given.dtype
    for one in limits:
        if one is not None:
            dtype = None if dtype is None else promoted(given.with_dtype(dtype), one)
    return given.with_dtype(dtype)


def _item(a: Value, *_: Value) -> Value:
    return Unknown("a number from an array")


METHODS: dict[str, Rule] = {
    "sum": reduction(sum_dtype),
    "prod": reduction(sum_dtype),
    "mean": reduction(mean_dtype),
    "std": reduction(mean_dtype),
    "var": reduction(mean_dtype),
    "max": extremum(_same),
    "min": extremum(_same),
    "argmax": extremum(lambda _: int64),
    "argmin": extremum(lambda _: int64),
    "any": extremum(lambda _: bool_),
    "all": extremum(lambda _: bool_),
    "cumsum": _cumulated,
    "cumprod": _cumulated,
    "reshape": _reshape,
    "transpose": _transpose,
    "swapaxes": partial(as_torch_does, "transpose"),
    "squeeze": _squeeze,
    "flatten": lambda a, *_: as_torch_does("flatten", a),
    "ravel": lambda a, *_: as_torch_does("flatten", a),
    "repeat": _repeat,
    "astype": _astype,
    "copy": _copy,
    "round": _copy,
    "clip": _clip,
    "dot": lambda a, b: binary("@", a, b),
    "item": _item,
    "tolist": _item,
}
