"""When Python searches for reference cycles: rarely, because trees live long and have none.

A dropped project is not freed automatically: its namespaces and functions refer to one another, so only the cyclic
garbage collector frees them, and with them the trees. Python runs a full collection too rarely for that, because the
collector is off during a run, and because new trees go straight to the oldest generation.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

WORTH_COLLECTING = 500_000
"""Characters of source: their trees and values take about 30 MB, and parsing them takes longer than a collection."""


class _Parsed:
    """How much source was parsed since the last full collection."""

    characters = 0


def note_parsed(text: str) -> None:
    """Record that this source was parsed."""
    _Parsed.characters += len(text)


def collect_dropped_projects() -> bool:
    """Free the memory of earlier projects of this process, if it may be much; called before another one is loaded.

    Return whether it did. A process that checks one project never collects here.
    """
    if _Parsed.characters < WORTH_COLLECTING:
        return False
    _Parsed.characters = 0
    gc.collect()
    return True


@contextmanager
def garbage_collection(wanted: bool) -> Iterator[None]:
    """Disables the search for reference cycles inside, unless it is wanted."""
    was_enabled = gc.isenabled()
    if not wanted:
        gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
