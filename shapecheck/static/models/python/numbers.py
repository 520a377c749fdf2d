"""Functions of numbers, of Python itself and of `math`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.spec import Dim
from shapecheck.static.domain.floats import UnknownFloat, is_real
from shapecheck.static.domain.fractions import SizeFraction, ceiling, floor, truncated
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.iteration import items_of

_LARGEST = 1 << 64
_MATH = """
    acos asin atan atan2 cos cosh degrees exp fmod gcd hypot isclose isfinite isqrt lcm log log10 log1p log2
    pow radians sin sinh sqrt tan tanh trunc
""".split()


_WHOLE = (abs, round, math.ceil, math.floor, math.gcd, math.isclose, math.isfinite, math.isqrt, math.lcm, math.trunc)
"""Functions that give no float, or not always."""


def _computed(function: Callable[..., Any]) -> Callable[..., Value]:
    def computed(*args: Value) -> Value:
        if all(isinstance(one, (int, float)) and abs(one) < _LARGEST for one in args):
            return function(*args)
        gives_float = function not in _WHOLE and all(map(is_real, args))
        return UnknownFloat() if gives_float else Unknown("unknown numbers")

    return computed


def _power(base: Value, exponent: Value, *modulus: Value) -> Value:
    if not isinstance(exponent, (int, float)) or abs(exponent) >= 64 or not isinstance(base, (int, float)) or modulus:
        return Unknown("a large power")
    return base**exponent


def _divided(value: Value, by: Value) -> Value:
    """`divmod`."""
    known = all(isinstance(one, (int, float, Dim)) for one in (value, by))
    return (value // by, value % by) if known else Unknown("unknown numbers")


def product(iterable: Value, start: Value = 1) -> Value:
    """`math.prod`."""
    items = items_of(iterable)
    if items is None or not all(isinstance(one, (int, float, Dim)) for one in items):
        return Unknown("an unknown product")
    total: Any = start
    for one in items:
        total = total * one
    return total


def _tuple_of(length: int) -> Callable[[Value], Value]:
    """`torch.nn.modules.utils._pair` and its like: a number so many times, what has items as a tuple of them."""

    def made(value: Value) -> Value:
        if isinstance(value, (int, float, Dim)):
            return (value,) * length
        items = items_of(value)
        return Unknown("an unknown number of sizes") if items is None else tuple(items)

    return made


def _int(value: Value = 0) -> Value:
    if isinstance(value, Dim):
        return value
    whole = truncated(value) if isinstance(value, SizeFraction) else None
    if whole is not None:
        return whole
    return int(value) if isinstance(value, (int, float, str)) else Unknown("an unknown number")


def _rounded(function: Callable[[Any], int], of_fraction: Callable[[SizeFraction], Value]) -> Callable[..., Value]:
    """`math.floor` or `math.ceil`, of a size as well."""
    of_number = _computed(function)

    def rounded(value: Value) -> Value:
        if isinstance(value, Dim):
            return value
        return of_fraction(value) if isinstance(value, SizeFraction) else of_number(value)

    return rounded


def _float(value: Value = 0.0) -> Value:
    return float(value) if isinstance(value, (int, float, str)) else UnknownFloat()


def _bool(value: Value = False) -> Value:
    return bool(value) if isinstance(value, (int, str, float)) else Unknown("an unknown truth")


_TUPLES = {"_single": 1, "_pair": 2, "_triple": 3, "_quadruple": 4}

FUNCTIONS: dict[str, Callable[..., Value]] = {
    "builtins.abs": _computed(abs),
    "builtins.bool": _bool,
    "builtins.float": _float,
    "builtins.int": _int,
    "builtins.round": _computed(round),
    "builtins.pow": _power,
    "builtins.divmod": _divided,
    **{f"math.{name}": _computed(getattr(math, name)) for name in _MATH},
    "math.floor": _rounded(math.floor, floor),
    "math.ceil": _rounded(math.ceil, ceiling),
    "math.prod": product,
    **{f"torch.nn.modules.utils.{name}": _tuple_of(length) for name, length in _TUPLES.items()},
}
