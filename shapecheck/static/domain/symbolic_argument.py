"""The value of an argument of code that is analyzed in isolation."""

from __future__ import annotations

from collections.abc import Hashable
from copy import copy

from shapecheck.ops import Unknown
from shapecheck.spec import VariadicAxes, unknown
from shapecheck.static.domain.abstract_values import AbstractValue


class SymbolicArgument(AbstractValue, Unknown):
    """An argument about which nothing is known, not even that it is a tensor."""

    __slots__ = ("axes", "excluded", "name", "size")
    key_slots = ("name", "excluded")

    def __init__(self, name: str, excluded: frozenset[Hashable] = frozenset()) -> None:
        super().__init__(f"argument {name}")
        self.name = name
        self.size = unknown(name)
        """The size that replaces it if a layer is built with it."""
        self.axes = VariadicAxes()
        """Its dimensions if it is a tensor."""
        self.excluded = excluded
        """Constants that it does not equal, None included."""

    def without(self, excluded: frozenset[Hashable]) -> SymbolicArgument:
        """The same argument, which equals none of these constants."""
        made = copy(self)
        made.excluded = excluded
        return made
