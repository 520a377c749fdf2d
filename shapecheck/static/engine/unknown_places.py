"""Reads at an unknown place of a collection whose items are known."""

from __future__ import annotations

from collections.abc import Iterable

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import present
from shapecheck.static.domain.stand_ins import MUTABLE, stand_in_of
from shapecheck.static.domain.summary_collections import merged_element
from shapecheck.static.engine.run import Run


def item_at_unknown_place(run: Run, items: Iterable[Value]) -> Value:
    """One of these items: a stand-in if all are collections, because the program may change it; else Unknown.

    If only some are, they are havocked now, except those of a module, which code rarely changes this way.
    """
    every = list(map(present, items))
    held = [one for one in every if isinstance(one, MUTABLE)]
    found = stand_in_of(every, merged_element) if held and len(held) == len(every) else None
    if found is None:
        for one in held:
            if not one.lost and (run.mark is None or one.allocation_id >= run.mark):
                run.journal.lose(one)
    return Unknown("an item at an unknown place") if found is None else found
