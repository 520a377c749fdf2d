"""`numpy.random`: its functions, and the methods of its generators, which have the same names."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import DType
from shapecheck.spec.dtype import float64, int64
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.models.numpy.array_like import as_array, shape_argument
from shapecheck.static.models.numpy.calling import Rule
from shapecheck.static.models.numpy.dtypes import dtype_named

_GENERATOR = ExternalReference("numpy.random.Generator()")
_NUMBER = Unknown("a random number")


def _sample(size: Value, dtype: DType | None) -> Value:
    """An array of samples of this shape; an unknown number if there is no size or it is unknown."""
    dims = None if size is None else shape_argument(size)
    return _NUMBER if dims is None else ArraySpec.of(dims, dtype)


def _shape_from_arguments(*dims: Value) -> Value:
    return _sample(dims or None, float64)


def _shape_from_size(size: Value = None, dtype: Value = None, **_: Value) -> Value:
    return _sample(size, float64 if dtype is None else dtype_named(dtype))


def _after_parameters(count: int) -> Rule:
    """The rule of a function such as `normal(loc, scale, size)`, with this many parameters before the size."""

    def sample(*args: Value, size: Value = None, **_: Value) -> Value:
        return _sample(args[count] if len(args) > count else size, float64)

    return sample


def _integers(
    low: Value = None, high: Value = None, size: Value = None, dtype: Value = None, endpoint: Value = False
) -> Value:
    return _sample(size, int64 if dtype is None else dtype_named(dtype))


def _choice(a: Value, size: Value = None, replace: Value = True, p: Value = None, **_: Value) -> Value:
    array = None if is_integer(a) else as_array(a)
    if array is not None and array.shape.rank != 1:
        return Unknown("a random choice of rows")
    return _sample(size, int64 if is_integer(a) else None if array is None else array.dtype)


def _permutation(x: Value) -> Value:
    return ArraySpec.of((x,), int64) if is_integer(x) else as_array(x) or Unknown("an unknown permutation")


RANDOM: dict[str, Rule] = {
    "default_rng": lambda *_, **__: _GENERATOR,
    "RandomState": lambda *_, **__: _GENERATOR,
    "Generator": lambda *_, **__: _GENERATOR,
    "rand": _shape_from_arguments,
    "randn": _shape_from_arguments,
    "random": _shape_from_size,
    "random_sample": _shape_from_size,
    "standard_normal": _shape_from_size,
    "normal": _after_parameters(2),
    "uniform": _after_parameters(2),
    "laplace": _after_parameters(2),
    "beta": _after_parameters(2),
    "gamma": _after_parameters(2),
    "exponential": _after_parameters(1),
    "randint": _integers,
    "integers": _integers,
    "choice": _choice,
    "permutation": _permutation,
    "seed": lambda *_: None,
    "shuffle": lambda *_: None,
}
