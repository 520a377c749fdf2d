"""Unknown floats, such as `width ** -0.5` for a symbolic width: no shape depends on them."""

from __future__ import annotations

import operator
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.spec import Dim
from shapecheck.static.domain.abstract_values import AbstractValue, Value

_STAND_IN = 0.5
_ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod)


class UnknownFloat(AbstractValue, Unknown):
    """An unknown float, so no tensor; code that does not handle it sees an Unknown."""

    __slots__ = ()

    def __init__(self, reason: str = "a float") -> None:
        super().__init__(reason)

    def __eq__(self, other: object) -> bool:
        return type(other) is UnknownFloat

    def __hash__(self) -> int:
        return hash(type(self))


def is_real(value: Value) -> bool:
    """Whether it is an integer or a float, known or not."""
    return isinstance(value, (int, float, Dim, UnknownFloat))


def as_operand(value: Value) -> Value:
    """The operand to use with a tensor: for an unknown float any float, as shape and dtype do not depend on it."""
    return _STAND_IN if isinstance(value, UnknownFloat) else value


def float_of(function: Callable[..., object], left: Value, right: Value) -> Unknown:
    """The result of arithmetic on two numbers, one of them unknown: an unknown float, or Unknown."""
    if not is_real(left) or not is_real(right):
        return Unknown("an unknown number")
    if function is operator.pow:
        is_float = _is_float_power(left, right)
    else:
        has_float = any(isinstance(one, (float, UnknownFloat)) for one in (left, right))
        is_float = function is operator.truediv or (has_float and function in _ARITHMETIC)
    return UnknownFloat() if is_float else Unknown("an unknown number")


def _is_float_power(base: Value, exponent: Value) -> bool:
    """Whether a power is certainly a float: a root of a negative number is complex."""
    if isinstance(exponent, (float, UnknownFloat)):
        return isinstance(base, Dim) or (isinstance(base, (int, float)) and base > 0)
    return isinstance(base, (float, UnknownFloat)) or (isinstance(exponent, int) and exponent < 0)
