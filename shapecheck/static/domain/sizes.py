"""Whether a value is a number of elements, known or symbolic."""

from __future__ import annotations

from typing import TypeGuard

from shapecheck.spec import Dim, Size
from shapecheck.static.domain.abstract_values import Value


def is_integer(value: Value) -> TypeGuard[Size]:
    """Whether a value is an integer, no bool, or a symbolic one."""
    return type(value) is int or isinstance(value, Dim)


def is_size(value: Value) -> TypeGuard[Size]:
    """Whether a value can be the size of an axis: no negative integer."""
    return (type(value) is int and value >= 0) or isinstance(value, Dim)


def is_positive_size(value: Value) -> TypeGuard[Size]:
    """Whether a value can be the size of an axis with elements, as the number of channels of a layer."""
    return (type(value) is int and value > 0) or isinstance(value, Dim)
