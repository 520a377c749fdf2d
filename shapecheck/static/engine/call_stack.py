"""Stack space for a run that nests deeply, allocated at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_SLOTS = 1 << 16
"""Half a megabyte, committed only where it is used. The calls inside use the rest of the chunk."""


def on_one_stack(action: Callable[[], T]) -> T:
    """Returns the result of `action`, whose calls share one chunk of stack.

    CPython allocates its stack in chunks of 16 kB, and frees a chunk as soon as the call that needed it returns: an
    interpreter whose depth oscillates around the end of a chunk does so tens of thousands of times a second.
    """
    return action()


on_one_stack.__code__ = on_one_stack.__code__.replace(co_stacksize=_SLOTS)
