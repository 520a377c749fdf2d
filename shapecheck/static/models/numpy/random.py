"""`numpy.random`: its functions, and the methods of its generators, which share their names."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import DType
from shapecheck.spec.dtype import float64, int64
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.values import ExternalName, Value
from shapecheck.static.models.numpy.calling import Rule
from shapecheck.static.models.numpy.dtypes import dtype_named
from shapecheck.static.models.numpy.reading import as_array, sizes

_GENERATOR = ExternalName("numpy.random.Generator()")
_ONE = Unknown("a random number")


def _drawn(size: Value, dtype: DType | None) -> Value:
    dims = None if size is None else sizes(size)
    return _ONE if dims is None else ArraySpec.of(dims, dtype)


def _by_axes(*dims: Value) -> Value:
    return _drawn(dims or None, float64)


def _by_size(size: Value = None, dtype: Value = None, **_: Value) -> Value:
    return _drawn(size, float64 if dtype is None else dtype_named(dtype))


def _of_parameters(count: int) -> Rule:
    """A function like `normal(loc, scale, size)`, which has so many parameters before the size."""

    def draws(*args: Value, size: Value = None, **_: Value) -> Value:
        return _drawn(args[count] if len(args) > count else size, float64)

    return draws


def _integers(
    low: Value = None, high: Value = None, size: Value = None, dtype: Value = None, endpoint: Value = False
) -> Value:
    return _drawn(size, int64 if dtype is None else dtype_named(dtype))


def _choice(a: Value, size: Value = None, replace: Value = True, p: Value = None, **_: Value) -> Value:
    given = None if isinstance(a, int) else as_array(a)
    if given is not None and given.shape.rank != 1:
        return Unknown("a choice of rows")
    return _drawn(size, int64 if isinstance(a, int) else None if given is None else given.dtype)


def _permutation(x: Value) -> Value:
    return ArraySpec.of((x,), int64) if type(x) is int else as_array(x) or Unknown("an unknown permutation")


RANDOM: dict[str, Rule] = {
    "default_rng": lambda *_, **__: _GENERATOR,
    "RandomState": lambda *_, **__: _GENERATOR,
    "Generator": lambda *_, **__: _GENERATOR,
    "rand": _by_axes,
    "randn": _by_axes,
    "random": _by_size,
    "random_sample": _by_size,
    "standard_normal": _by_size,
    "normal": _of_parameters(2),
    "uniform": _of_parameters(2),
    "laplace": _of_parameters(2),
    "beta": _of_parameters(2),
    "gamma": _of_parameters(2),
    "exponential": _of_parameters(1),
    "randint": _integers,
    "integers": _integers,
    "choice": _choice,
    "permutation": _permutation,
    "seed": lambda *_: None,
    "shuffle": lambda *_: None,
}
