"""Functions of numpy's that make arrays, change them or put them together."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Dim, DType, TensorSpec
from shapecheck.spec.dtype import float64, int64
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.models.numpy.calling import Rule, as_torch_does, some_length
from shapecheck.static.models.numpy.dtypes import dtype_named, inexact, of_arrays, promoted
from shapecheck.static.models.numpy.methods import METHODS
from shapecheck.static.models.numpy.operators import binary
from shapecheck.static.models.numpy.reading import as_array, sizes

_UNKNOWN = Unknown("an unknown array")


def _dtype(given: Value, default: DType | None) -> DType | None:
    return default if given is None else dtype_named(given)


# -- made of sizes


def _filled(shape: Value, dtype: Value = None, order: Value = "C", **_: Value) -> Value:
    dims = sizes(shape)
    return _UNKNOWN if dims is None else ArraySpec.of(dims, _dtype(dtype, float64))


def _full(shape: Value, fill_value: Value, dtype: Value = None, **_: Value) -> Value:
    dims, fill = sizes(shape), as_array(fill_value)
    return _UNKNOWN if dims is None else ArraySpec.of(dims, _dtype(dtype, None if fill is None else fill.dtype))


def _like(a: Value, dtype: Value = None, **_: Value) -> Value:
    given = as_array(a)
    return _UNKNOWN if given is None else given.with_dtype(_dtype(dtype, given.dtype))


def _full_like(a: Value, fill_value: Value, dtype: Value = None) -> Value:
    return _like(a, dtype)


def _eye(N: Value, M: Value = None, k: Value = 0, dtype: Value = None) -> Value:
    dims = sizes((N, N if M is None else M))
    return _UNKNOWN if dims is None else ArraySpec.of(dims, _dtype(dtype, float64))


def _arange(*bounds: Value, dtype: Value = None) -> Value:
    if not all(isinstance(one, (int, float, Dim)) for one in bounds):
        return ArraySpec.of(some_length(), _dtype(dtype, None))
    found = infer("arange", *bounds)
    natural = float64 if any(isinstance(one, float) for one in bounds) else int64
    return ArraySpec.of(found.shape, _dtype(dtype, natural)) if isinstance(found, TensorSpec) else _UNKNOWN


def _linspace(start: Value, stop: Value, num: Value = 50, *, dtype: Value = None, **more: Value) -> Value:
    dims = sizes(num)
    if dims is None or more or not all(isinstance(one, (int, float, Dim)) for one in (start, stop)):
        return _UNKNOWN
    return ArraySpec.of(dims, _dtype(dtype, float64))


# -- made of data


def _array(object: Value, dtype: Value = None, **_: Value) -> Value:
    if isinstance(object, TensorSpec):
        object = ArraySpec(object)
    given = as_array(object)
    if given is None:
        return _UNKNOWN
    return given if dtype is None else given.with_dtype(dtype_named(dtype))


def _parts(arrays: Value) -> tuple[list[TensorSpec], DType | None] | None:
    items = items_of(arrays)
    known = [as_array(one) for one in items or ()]
    if not known or any(one is None for one in known):
        return None
    specs = [one.spec.with_dtype(None) for one in known if one is not None]
    dtype = known[0].dtype if known[0] is not None else None
    for one in known:
        dtype = None if dtype is None or one is None or one.dtype is None else of_arrays(dtype, one.dtype)
    return specs, dtype


def _joining(name: str, axis: int = 0) -> Rule:
    """np.stack and its kin, which torch has under another name."""

    def joins(arrays: Value, axis: Value = axis, **_: Value) -> Value:
        parts = _parts(arrays)
        if parts is None or type(axis) is not int:
            return _UNKNOWN
        found = infer(name, parts[0], axis)
        return ArraySpec.of(found.shape, parts[1]) if isinstance(found, TensorSpec) else _UNKNOWN

    return joins


def _stacking(name: str) -> Rule:
    def stacks(tup: Value) -> Value:
        parts = _parts(tup)
        found = None if parts is None else infer(name, parts[0])
        return ArraySpec.of(found.shape, parts[1]) if parts and isinstance(found, TensorSpec) else _UNKNOWN

    return stacks


# -- element by element


def _transcendental(of_number: Callable[..., Any] | None = None) -> Rule:
    """A function like `np.sin`; of a number it gives a number."""

    def computes(x: Value, **_: Value) -> Value:
        if isinstance(x, (int, float)):
            return Unknown("an unknown number") if of_number is None else of_number(x)
        given = as_array(x)
        return _UNKNOWN if given is None else given.with_dtype(inexact(given.dtype))

    return computes


def _kept(x: Value, **_: Value) -> Value:
    return as_array(x) or _UNKNOWN


def _rounding(of_number: Callable[[Any], int]) -> Rule:
    def rounds(x: Value, **_: Value) -> Value:
        return float(of_number(x)) if isinstance(x, (int, float)) else _kept(x)

    return rounds


def _between(symbol: str) -> Rule:
    return lambda a, b, **_: binary(symbol, a, b)


def _where(condition: Value, *branches: Value) -> Value:
    if len(branches) != 2:
        return _UNKNOWN
    one, other = map(as_array, branches)
    if one is None or other is None or one.dtype is None or other.dtype is None:
        return _UNKNOWN
    dtype = promoted(*branches) if any(isinstance(part, ArraySpec) for part in branches) else None
    chosen = binary("+", one, other)
    both = binary("+", condition, chosen)
    if not isinstance(both, ArraySpec):
        return _UNKNOWN
    return both.with_dtype(dtype or of_arrays(one.dtype, other.dtype))


def _expand_dims(a: Value, axis: Value) -> Value:
    return as_torch_does("unsqueeze", a, axis)


def _outer(a: Value, b: Value) -> Value:
    left, right = as_array(a), as_array(b)
    if left is None or right is None or left.shape.rank != 1 or right.shape.rank != 1:
        return _UNKNOWN
    return binary("*", ArraySpec.of((left.shape[0], 1), left.dtype), right)


def _prod(a: Value, *args: Value, **kwargs: Value) -> Value:
    items = items_of(a)
    if items is None or args or kwargs or not all(isinstance(one, (int, Dim)) for one in items):
        return METHODS["prod"](a, *args, **kwargs)
    total: Any = 1
    for one in items:
        total = total * one
    return total


def _scalar(dtype: DType) -> Rule:
    """`np.float32(x)`: a scalar, or an array with that dtype."""

    def casts(x: Value = 0) -> Value:
        if type(x) is int and dtype is int64:
            return x
        given = as_array(x)
        return _UNKNOWN if given is None else given.with_dtype(dtype)

    return casts


_SCALARS = "float16 float32 float64 double single half int8 int16 int32 int64 uint8 bool_".split()
_METHODS = "sum mean std var max min argmax argmin any all cumsum cumprod reshape transpose swapaxes squeeze".split()
_NUMBERS = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log2": math.log2, "sin": math.sin, "cos": math.cos}

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
    "stack": _joining("stack"),
    "concatenate": _joining("cat"),
    "vstack": _stacking("vstack"),
    "hstack": _stacking("hstack"),
    "where": _where,
    "clip": METHODS["clip"],
    "ravel": METHODS["flatten"],
    "repeat": METHODS["repeat"],
    "amax": METHODS["max"],
    "amin": METHODS["min"],
    "prod": _prod,
    "expand_dims": _expand_dims,
    "outer": _outer,
    "dot": _between("@"),
    "matmul": _between("@"),
    "add": _between("+"),
    "subtract": _between("-"),
    "multiply": _between("*"),
    "divide": _between("/"),
    "power": _between("**"),
    "maximum": _between("+"),
    "minimum": _between("+"),
    "abs": _kept,
    "absolute": _kept,
    "square": _kept,
    "floor": _rounding(math.floor),
    "ceil": _rounding(math.ceil),
    "moveaxis": partial(as_torch_does, "movedim"),
    "flip": lambda m, axis: as_torch_does("flip", m, axis if type(axis) is tuple else (axis,)),
    "isnan": lambda x: binary("==", x, 0.0),
    "logical_not": lambda x: binary("==", x, 0),
    **{name: METHODS[name] for name in _METHODS},
    **{name: _transcendental(of_number) for name, of_number in _NUMBERS.items()},
    **{name: _transcendental() for name in "tan tanh arctan arcsin arccos log10 log1p expm1 cbrt rint".split()},
    **{name: _scalar(dtype) for name in _SCALARS for dtype in [dtype_named(name)] if dtype is not None},
}
