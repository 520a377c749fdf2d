"""Freeing the syntax trees of projects that are not checked any more.

A dropped project does not go away by itself: its namespaces and functions refer to one another, so that only the cyclic
garbage collector frees them, and with them the trees. Python runs a full collection too rarely for that, because it is
switched off during a run, and because new trees go straight to the oldest generation.
"""

from __future__ import annotations

import gc

WORTH_COLLECTING = 500_000
"""Characters of source: their trees and values take about 30 MB, and parsing them takes longer than a collection."""


class _Parsed:
    """How much source was parsed since the last full collection."""

    characters = 0


def note_parsed(text: str) -> None:
    """A tree was made of this text."""
    _Parsed.characters += len(text)


def collect_dropped_projects() -> bool:
    """Frees what earlier projects of this process held, if that may be much; called before another one is loaded.

    Returns whether it did. A process that checks one project never collects here.
    """
    if _Parsed.characters < WORTH_COLLECTING:
        return False
    _Parsed.characters = 0
    gc.collect()
    return True
