"""Functions of numpy that create, transform and combine arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Dim, DType, Size, TensorSpec
from shapecheck.spec.dtype import float64, int64
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.models.numpy.array_like import as_array, shape_argument
from shapecheck.static.models.numpy.calling import Rule, apply_torch_operator, unknown_length
from shapecheck.static.models.numpy.dtypes import dtype_named, inexact_dtype, promote_dtypes, promote_operands
from shapecheck.static.models.numpy.methods import METHODS
from shapecheck.static.models.numpy.operators import binary

_UNKNOWN = Unknown("an unknown array")


def _dtype_or(default: DType | None, dtype: Value) -> DType | None:
    return default if dtype is None else dtype_named(dtype)


# -- creation from sizes


def _filled(shape: Value, dtype: Value = None, order: Value = "C", **_: Value) -> Value:
    dims = shape_argument(shape)
    return _UNKNOWN if dims is None else ArraySpec.of(dims, _dtype_or(float64, dtype))


def _full(shape: Value, fill_value: Value, dtype: Value = None, **_: Value) -> Value:
    dims, fill = shape_argument(shape), as_array(fill_value)
    return _UNKNOWN if dims is None else ArraySpec.of(dims, _dtype_or(None if fill is None else fill.dtype, dtype))


def _like(a: Value, dtype: Value = None, **_: Value) -> Value:
    array = as_array(a)
    return _UNKNOWN if array is None else array.with_dtype(_dtype_or(array.dtype, dtype))


def _full_like(a: Value, fill_value: Value, dtype: Value = None) -> Value:
    return _like(a, dtype)


def _eye(N: Value, M: Value = None, k: Value = 0, dtype: Value = None) -> Value:
    dims = shape_argument((N, N if M is None else M))
    return _UNKNOWN if dims is None else ArraySpec.of(dims, _dtype_or(float64, dtype))


def _arange(*bounds: Value, dtype: Value = None) -> Value:
    if not all(isinstance(one, (int, float, Dim)) for one in bounds):
        return ArraySpec.of(unknown_length(), _dtype_or(None, dtype))
    found = infer("arange", *bounds)
    natural = float64 if any(isinstance(one, float) for one in bounds) else int64
    return ArraySpec.of(found.shape, _dtype_or(natural, dtype)) if isinstance(found, TensorSpec) else _UNKNOWN


def _linspace(start: Value, stop: Value, num: Value = 50, *, dtype: Value = None, **more: Value) -> Value:
    dims = shape_argument(num)
    if dims is None or more or not all(isinstance(one, (int, float, Dim)) for one in (start, stop)):
        return _UNKNOWN
    return ArraySpec.of(dims, _dtype_or(float64, dtype))


# -- creation from data


def _array(object: Value, dtype: Value = None, **_: Value) -> Value:
    if isinstance(object, TensorSpec):
        object = ArraySpec(object)
    array = as_array(object)
    if array is None:
        return _UNKNOWN
    return array if dtype is None else array.with_dtype(dtype_named(dtype))


def _array_parts(arrays: Value) -> tuple[list[TensorSpec], DType | None] | None:
    """The arrays of a sequence as tensors without dtype, and the dtype that they promote to; None if one is unknown."""
    items = items_of(arrays) or ()
    known = [one for one in map(as_array, items) if one is not None]
    if not known or len(known) < len(items):
        return None
    dtype = known[0].dtype
    for one in known:
        dtype = None if dtype is None or one.dtype is None else promote_dtypes(dtype, one.dtype)
    return [one.spec.with_dtype(None) for one in known], dtype


def _join(name: str, axis: int = 0) -> Rule:
    """The rule of a function that joins arrays along an axis; `name` is its name in torch."""

    def join(arrays: Value, axis: Value = axis, **_: Value) -> Value:
        parts = _array_parts(arrays)
        if parts is None or type(axis) is not int:
            return _UNKNOWN
        found = infer(name, parts[0], axis)
        return ArraySpec.of(found.shape, parts[1]) if isinstance(found, TensorSpec) else _UNKNOWN

    return join


def _stack_along_fixed_axis(name: str) -> Rule:
    """The rule of a function that joins arrays along an axis of its own choice; `name` is its name in torch."""

    def stack(tup: Value) -> Value:
        parts = _array_parts(tup)
        found = None if parts is None else infer(name, parts[0])
        return ArraySpec.of(found.shape, parts[1]) if parts and isinstance(found, TensorSpec) else _UNKNOWN

    return stack


# -- elementwise functions


def _float_function(of_number: Callable[[float], float] | None = None) -> Rule:
    """The rule of a function such as `np.sin`; `of_number` computes its result for a Python number."""

    def compute(x: Value, **_: Value) -> Value:
        if isinstance(x, (int, float)):
            return Unknown("an unknown number") if of_number is None else of_number(x)
        array = as_array(x)
        return _UNKNOWN if array is None else array.with_dtype(inexact_dtype(array.dtype))

    return compute


def _unchanged(x: Value, **_: Value) -> Value:
    return as_array(x) or _UNKNOWN


def _rounding(of_number: Callable[[float], int]) -> Rule:
    """The rule of a function that rounds elementwise."""

    def round_array(x: Value, **_: Value) -> Value:
        return float(of_number(x)) if isinstance(x, (int, float)) else _unchanged(x)

    return round_array


def _operator(symbol: str) -> Rule:
    """The rule of a function with the shape and dtype of a binary operator."""
    return lambda a, b, **_: binary(symbol, a, b)


def _where(condition: Value, *branches: Value) -> Value:
    if len(branches) != 2:
        return _UNKNOWN
    a, b = map(as_array, branches)
    if a is None or b is None or a.dtype is None or b.dtype is None:
        return _UNKNOWN
    result = binary("+", condition, binary("+", a, b))
    if not isinstance(result, ArraySpec):
        return _UNKNOWN
    return result.with_dtype(_branches_dtype(*branches) or promote_dtypes(a.dtype, b.dtype))


def _branches_dtype(x: Value, y: Value) -> DType | None:
    """The dtype that the branches of `np.where` promote to; None if neither is an array."""
    if isinstance(x, ArraySpec):
        return promote_operands(x, y)
    return promote_operands(y, x) if isinstance(y, ArraySpec) else None


def _expand_dims(a: Value, axis: Value) -> Value:
    return apply_torch_operator("unsqueeze", a, axis)


def _outer(a: Value, b: Value) -> Value:
    left, right = as_array(a), as_array(b)
    if left is None or right is None or left.shape.rank != 1 or right.shape.rank != 1:
        return _UNKNOWN
    return binary("*", ArraySpec.of((left.shape[0], 1), left.dtype), right)


def _prod(a: Value, *args: Value, **kwargs: Value) -> Value:
    items = items_of(a)
    factors = [one for one in items or () if isinstance(one, (int, Dim))]
    if items is None or args or kwargs or len(factors) < len(items):
        return METHODS["prod"](a, *args, **kwargs)
    total: Size = 1
    for factor in factors:
        total = total * factor
    return total


def _scalar(dtype: DType) -> Rule:
    """The rule of a scalar type such as `np.float32`, which returns a scalar, or an array with this dtype."""

    def cast(x: Value = 0) -> Value:
        if type(x) is int and dtype is int64:
            return x
        array = as_array(x)
        return _UNKNOWN if array is None else array.with_dtype(dtype)

    return cast


_SCALAR_TYPES = "float16 float32 float64 double single half int8 int16 int32 int64 uint8 bool_".split()
_ALSO_METHODS = (
    "sum mean std var max min argmax argmin any all cumsum cumprod reshape transpose swapaxes squeeze".split()
)
_OF_NUMBERS = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log2": math.log2, "sin": math.sin, "cos": math.cos}

FUNCTIONS: dict[str, Rule] = {
    "zeros": _filled,
    "ones": _filled,
    "empty": _filled,
    "full": _full,
    "zeros_like": _like,
    "ones_like": _like,
    "empty_like": _like,
    "full_like": _full_like,
    "eye": _eye,
    "identity": lambda n, dtype=None: _eye(n, dtype=dtype),
    "arange": _arange,
    "linspace": _linspace,
    "array": _array,
    "asarray": _array,
    "ascontiguousarray": _array,
    "stack": _join("stack"),
    "concatenate": _join("cat"),
    "vstack": _stack_along_fixed_axis("vstack"),
    "hstack": _stack_along_fixed_axis("hstack"),
    "where": _where,
    "clip": METHODS["clip"],
    "ravel": METHODS["flatten"],
    "repeat": METHODS["repeat"],
    "amax": METHODS["max"],
    "amin": METHODS["min"],
    "prod": _prod,
    "expand_dims": _expand_dims,
    "outer": _outer,
    "dot": _operator("@"),
    "matmul": _operator("@"),
    "add": _operator("+"),
    "subtract": _operator("-"),
    "multiply": _operator("*"),
    "divide": _operator("/"),
    "power": _operator("**"),
    "maximum": _operator("+"),
    "minimum": _operator("+"),
    "abs": _unchanged,
    "absolute": _unchanged,
    "square": _unchanged,
    "floor": _rounding(math.floor),
    "ceil": _rounding(math.ceil),
    "moveaxis": partial(apply_torch_operator, "movedim"),
    "flip": lambda m, axis: apply_torch_operator("flip", m, axis if type(axis) is tuple else (axis,)),
    "isnan": lambda x: binary("==", x, 0.0),
    "logical_not": lambda x: binary("==", x, 0),
    **{name: METHODS[name] for name in _ALSO_METHODS},
    **{name: _float_function(of_number) for name, of_number in _OF_NUMBERS.items()},
    **{name: _float_function() for name in "tan tanh arctan arcsin arccos log10 log1p expm1 cbrt rint".split()},
    **{name: _scalar(dtype) for name in _SCALAR_TYPES for dtype in [dtype_named(name)] if dtype is not None},
}
