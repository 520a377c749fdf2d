"""An argument whose default is None: what the code puts in its place shows what a caller would pass.

After `hidden = hidden or 4 * dim`, the value is a size in any case, and after `scale = scale or dim ** -0.5` a float.
"""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, unknown
from shapecheck.static.domain.abstract_values import AbstractValue, Value
from shapecheck.static.domain.floats import UnknownFloat


class UnsetArgument(AbstractValue, Unknown):
    """The unknown value of an argument that may be None; code that does not handle it sees an Unknown."""

    __slots__ = ("name", "size")
    key_slots = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__(f"argument {name}")
        self.name = name
        self.size = unknown(name)
        """The size that it is, if it is one."""

    def joined(self, other: Value) -> Value | None:
        """The join with what another branch has in its place; None if that does not show its type."""
        if isinstance(other, Dim):
            return self.size
        return other if isinstance(other, UnknownFloat) else None
