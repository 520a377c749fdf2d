"""What an argument with the default None is, when code is analyzed in isolation."""

from __future__ import annotations

from enum import Enum, auto


class Optionals(Enum):
    """What a caller may pass for a parameter with the default None."""

    UNKNOWN = auto()
    ABSENT = auto()
    """None. For an observer alone."""
    PRESENT = auto()
    """A symbolic argument that is not None."""
    ASSUMED = auto()
    """A symbolic argument."""

    @property
    def is_eager(self) -> bool:
        """Whether all arguments learn from what holds on some path, not on every path: for an observer alone."""
        return self in (Optionals.PRESENT, Optionals.ASSUMED)
