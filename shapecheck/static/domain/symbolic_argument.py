"""The value of an argument of code that is analyzed in isolation."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import VariadicAxes, unknown
from shapecheck.static.domain.abstract_values import AbstractValue


class SymbolicArgument(AbstractValue, Unknown):
    """An argument about which nothing is known, not even that it is a tensor."""

    __slots__ = ("axes", "is_given", "name", "size")
    key_slots = ("name", "is_given")

    def __init__(self, name: str, *, is_given: bool = False) -> None:
        super().__init__(f"argument {name}")
        self.name = name
        self.size = unknown(name)
        """The size that replaces it if a layer is built with it."""
        self.is_given = is_given
        """Whether it is not None: a tensor in place of that default."""
        self.axes = VariadicAxes()
        """Its dimensions if it is a tensor."""
