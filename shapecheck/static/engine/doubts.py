"""Findings in branches of a loop's first iteration: some branches are taken in later iterations only.

The rounds of an inner loop are no such branch: it is not written for an outer loop in which it has none at first.
The loop runs again with the widened state of later iterations. What is found with both states is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapecheck.static.engine.findings import FindingKey
    from shapecheck.static.engine.frames import Frame
    from shapecheck.static.engine.run import Run


class Doubts:
    """The findings of one loop that need confirmation, and those that its later iterations have.

    What fails for one of several alternatives, a trial that is nested in the loop, confirms nothing.
    """

    __slots__ = ("confirmed", "found", "is_confirming", "trials")

    def __init__(self, trials: int) -> None:
        self.trials = trials
        self.found: set[FindingKey] = set()
        self.confirmed: set[FindingKey] = set()
        self.is_confirming = False

    def drop(self, run: Run) -> None:
        """Drops the findings that the widened state does not confirm."""
        for key in self.found - self.confirmed:
            run.findings.pop(key, None)


def doubt(frames: Sequence[Frame], key: FindingKey) -> None:
    """Notes a finding for each loop around it whose first iteration may not reach it."""
    is_parted = False
    for frame in reversed(frames):
        for one in frame.loops:
            if one.doubts is not None and (is_parted or one.is_parted(frame)):
                one.doubts.found.add(key)
        is_parted |= frame.is_parted_by_condition


def confirm(frames: Sequence[Frame], key: FindingKey, trials: int) -> None:
    """Notes a finding for each loop around it whose later iterations run."""
    for frame in frames:
        for one in frame.loops:
            doubts = one.doubts
            if doubts is not None and doubts.is_confirming and doubts.trials == trials:
                doubts.confirmed.add(key)
