"""Functions of numbers, of Python itself and of `math`."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.floats import UnknownFloat, is_real
from shapecheck.static.domain.fractions import SizeFraction, ceiling, floor, truncated
from shapecheck.static.domain.placeholders import NegativeDefault
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.type_guards import are_numbers

_LARGEST = 1 << 64
_MATH = """
    acos asin atan atan2 cos cosh degrees exp fmod gcd hypot isclose isfinite isqrt lcm log log10 log1p log2
    pow radians sin sinh sqrt tan tanh trunc
""".split()

_NOT_ALWAYS_FLOAT: tuple[Callable[..., Value], ...] = (
    abs,
    round,
    math.ceil,
    math.floor,
    math.gcd,
    math.isclose,
    math.isfinite,
    math.isqrt,
    math.lcm,
    math.trunc,
)
"""Functions whose result is not a float, or not for all arguments."""


def _computed(function: Callable[..., Value]) -> Callable[..., Value]:
    """A model that evaluates a function of numbers if all arguments are known."""

    def computed(*args: Value) -> Value:
        if all(isinstance(one, (int, float)) and abs(one) < _LARGEST for one in args):
            return function(*args)
        returns_float = function not in _NOT_ALWAYS_FLOAT and all(map(is_real, args))
        return UnknownFloat() if returns_float else Unknown("unknown numbers")

    return computed


def _power(base: Value, exponent: Value, *modulus: Value) -> Value:
    if not isinstance(exponent, (int, float)) or abs(exponent) >= 64 or not isinstance(base, (int, float)) or modulus:
        return Unknown("a large power")
    power: Value = base**exponent
    return power


def _divmod(value: Value, divisor: Value) -> Value:
    if not are_numbers((value, divisor)):
        return Unknown("unknown numbers")
    return (operator.floordiv(value, divisor), operator.mod(value, divisor))


def product(iterable: Value, start: Value = 1) -> Value:
    """The result of `math.prod`."""
    items = items_of(iterable)
    return (
        Unknown("an unknown product") if items is None or not are_numbers(items) else reduce(operator.mul, items, start)
    )


def _tuple_of(length: int) -> Callable[[Value], Value]:
    """A model of `torch.nn.modules.utils._pair` or a variant: repeats a number, turns an iterable into a tuple."""

    def repeated(value: Value) -> Value:
        if isinstance(value, (int, float, Dim)):
            return (value,) * length
        items = items_of(value)
        return Unknown("an unknown number of sizes") if items is None else tuple(items)

    return repeated


def _int(value: Value = 0) -> Value:
    if isinstance(value, (Dim, NegativeDefault)):
        return value
    integer = truncated(value) if isinstance(value, SizeFraction) else None
    if integer is not None:
        return integer
    return int(value) if isinstance(value, (int, float, str)) else Unknown("an unknown number")


def _rounded(function: Callable[..., Value], of_fraction: Callable[[SizeFraction], Value]) -> Callable[[Value], Value]:
    """A model of `math.floor` or `math.ceil` that accepts symbolic sizes and their fractions."""
    of_number = _computed(function)

    def rounded(value: Value) -> Value:
        if isinstance(value, Dim):
            return value
        return of_fraction(value) if isinstance(value, SizeFraction) else of_number(value)

    return rounded


def _float(value: Value = 0.0) -> Value:
    return float(value) if isinstance(value, (int, float, str)) else UnknownFloat()


def _bool(value: Value = False) -> Value:
    return bool(value) if isinstance(value, (int, str, float)) else Unknown("unknown truth value")


def _of_tensor(name: str, function: Callable[..., Value]) -> Callable[..., Value]:
    """A conversion to a number that torch is asked about if its argument is a tensor."""

    def converted(run: Run, node: ast.AST, *args: Value) -> Value:
        if args and type(args[0]) is TensorSpec and mark_of(args[0]) is None:
            dispatch.torch_call(run, node, name, args, {})
        return function(*args)

    return converted


ASKING: dict[str, Callable[..., Value]] = {
    "builtins.bool": _of_tensor("__bool__", _bool),
    "builtins.float": _of_tensor("__float__", _float),
    "builtins.int": _of_tensor("__int__", _int),
}
_TUPLE_LENGTHS = {"_single": 1, "_pair": 2, "_triple": 3, "_quadruple": 4}

FUNCTIONS: dict[str, Callable[..., Value]] = {
    "builtins.abs": _computed(abs),
    "builtins.round": _computed(round),
    "builtins.pow": _power,
    "builtins.divmod": _divmod,
    **{f"math.{name}": _computed(getattr(math, name)) for name in _MATH},
    "math.floor": _rounded(math.floor, floor),
    "math.ceil": _rounded(math.ceil, ceiling),
    "math.prod": product,
    **{f"torch.nn.modules.utils.{name}": _tuple_of(length) for name, length in _TUPLE_LENGTHS.items()},
}
