"""Garbage collection during the analysis of a file."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY_OBJECTS = 100_000


@contextmanager
def collecting_once() -> Iterator[None]:
    """Collects garbage in cycles once, at the end, if there may be much, and only in the youngest generation.

    Automatic collection would take a third of the time, most of it in syntax trees, which are kept anyway.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_count()[0] > _MANY_OBJECTS:
            gc.collect(0)
        if enabled:
            gc.enable()
