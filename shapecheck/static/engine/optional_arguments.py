"""What an argument with the default None is, when code is analyzed in isolation."""

from __future__ import annotations

from enum import Enum, auto


class Optionals(Enum):
    """What a caller may pass for a parameter with the default None."""

    UNKNOWN = auto()
    ABSENT = auto()
    """None. For an observer alone."""
    PRESENT = auto()
    """A symbolic argument. All arguments learn from what holds on some path, not on every path: they are as the uses
    under a condition require. So this is for an observer alone, and nothing is reported."""
