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


class SetAside:
    """Keeps the trees of a project out of most collections of garbage.

    Trees live as long as the project, and traversing them takes a considerable part of the time of parsing them.
    """

    def __init__(self) -> None:
        self._has_frozen = False

    def __call__(self) -> None:
        """Move all objects to the oldest generation, unless other code has frozen some, which would be unfrozen too.

        mypy and the language server do. That is remembered, because Python counts frozen objects one by one.
        """
        self._has_frozen = self._has_frozen or gc.get_freeze_count() > 0
        if not self._has_frozen:
            gc.freeze()
            gc.unfreeze()


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
