"""The value of an argument of code that is analyzed in isolation."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import VariadicAxes, unknown
from shapecheck.static.domain.abstract_values import AbstractValue


class SymbolicArgument(AbstractValue, Unknown):
    """An argument about which nothing is known, not even that it is a tensor."""

    __slots__ = ("axes", "is_present", "name", "size")
    key_slots = ("name",)

    def __init__(self, name: str, *, is_present: bool = False) -> None:
        super().__init__(f"argument {name}")
        self.name = name
        self.is_present = is_present
        """Whether it is known not to be None."""
        self.size = unknown(name)
        """The size that replaces it if a layer is built with it."""
        self.axes = VariadicAxes()
        """Its dimensions if it is a tensor."""
