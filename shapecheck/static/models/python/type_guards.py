"""Type guards for the arguments and items that the models of Python's functions accept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from shapecheck.spec import Dim
from shapecheck.static.domain.abstract_values import Value

PLAIN = (bool, int, float, str, type(None))
"""The types whose values are compared and formatted as in the program."""


def are_integers(values: tuple[Value, ...]) -> TypeGuard[tuple[int, ...]]:
    """Whether all values are integers; a bool does not count as one."""
    return all(type(one) is int for one in values)


def are_optional_integers(values: tuple[Value, ...]) -> TypeGuard[tuple[int | None, ...]]:
    """Whether all values are integers or None, as the bounds of a slice are."""
    return all(one is None or type(one) is int for one in values)


def are_strings(values: list[Value]) -> TypeGuard[list[str]]:
    """Whether all values are strings."""
    return all(isinstance(one, str) for one in values)


def are_numbers(values: Iterable[Value]) -> bool:
    """Whether all values are numbers, known or symbolic."""
    return all(isinstance(one, (int, float, Dim)) for one in values)
