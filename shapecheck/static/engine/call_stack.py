"""Room on Python's stack, taken at once for a run that nests deeply."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_SLOTS = 1 << 16
"""Half a megabyte, of which only what is used becomes memory. What is left of the piece holds the calls inside."""


def on_one_stack(action: Callable[[], T]) -> T:
    """What `run` gives, its calls being on one piece of stack.

    CPython takes the stack from the system in pieces of 16 kB, and gives a piece back as soon as the call returns that
    needed it: an interpreter whose depth swings around the end of a piece does so tens of thousands of times a second.
    """
    return action()


on_one_stack.__code__ = on_one_stack.__code__.replace(co_stacksize=_SLOTS)
