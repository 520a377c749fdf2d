"""How an observer watches a run: what one run has shown, an equal one need not show."""

from __future__ import annotations

from enum import Enum, auto


class Watching(Enum):
    """What is observed."""

    ALL = auto()
    VARIANT = auto()
    """Tensors of known rank where no other run has shown one: some arguments are not those of the program."""
    ASSUMED = auto()
    """Tensors of known rank: arguments are assumed, and nothing is reported."""
