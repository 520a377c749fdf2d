"""A size times a fraction, the result of `width * 0.5` or `width / 2`; `int` makes a size of it."""

from __future__ import annotations

import operator
from collections.abc import Callable

from shapecheck.spec import Dim, Size, at_least
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.floats import UnknownFloat

_MOST_BELOW = 64
"""A float with a larger denominator, such as 0.1, only approximates the fraction that was written."""


class SizeFraction(UnknownFloat):
    """The float `above / below`; code that does not handle it sees an unknown float."""

    __slots__ = ("above", "below")
    key_slots = ("above", "below")

    def __init__(self, above: Size, below: int) -> None:
        super().__init__("product of a size and a fraction")
        self.above = above
        self.below = below

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SizeFraction) and bool(self.above == other.above) and self.below == other.below

    def __hash__(self) -> int:
        return hash((self.above, self.below))


def size_fraction(function: Callable[..., object], left: Value, right: Value) -> SizeFraction | None:
    """The exact product or quotient of a size and a number; None if it is inexact."""
    if function is operator.mul and isinstance(right, Dim):
        left, right = right, left
    if not isinstance(left, Dim) or isinstance(right, (bool, Dim)):
        return None
    if function is operator.mul and isinstance(right, float):
        above, below = _ratio(right)
    elif function is operator.truediv and isinstance(right, (int, float)):
        below, above = _ratio(right)
    else:
        return None
    return SizeFraction(left * above, below) if above > 0 and 0 < below <= _MOST_BELOW else None


def _ratio(number: float) -> tuple[int, int]:
    try:
        return number.as_integer_ratio()
    except (OverflowError, ValueError):  # infinite, or not a number
        return 0, 0


def truncated(value: SizeFraction) -> Size | None:
    """The result of `int(value)`, which equals the floor unless it is negative; None if it certainly is."""
    return None if at_least(value.above, 0) is False else floor(value)


def floor(value: SizeFraction) -> Size:
    """The result of `math.floor(value)`."""
    return value.above // value.below


def ceiling(value: SizeFraction) -> Size:
    """The result of `math.ceil(value)`."""
    return -(-value.above // value.below)
