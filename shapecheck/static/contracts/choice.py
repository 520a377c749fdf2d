"""A value of a union."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.static.values import Value


class Choice(Unknown):
    """One of a few values; which one is not known."""

    __slots__ = ("members",)

    def __init__(self, members: tuple[Value, ...]) -> None:
        super().__init__("one of several types")
        self.members = members

    def without_none(self) -> Value:
        """What it is where it is not None."""
        left = tuple(one for one in self.members if one is not None)
        return left[0] if len(left) == 1 else Choice(left)
