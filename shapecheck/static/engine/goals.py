"""Goals: a run that only repeats an earlier one, to record more about its findings, ends when it has all of them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapecheck.static.engine.findings import Finding, FindingKey


class GoalReached(Exception):
    """Raised when a run has found what it looks for."""


class Goal:
    """The findings to find again. Those of a part of the run, which may be dropped with it, do not count."""

    __slots__ = ("_found", "_keys")

    def __init__(self, found: Mapping[FindingKey, Finding], keys: Set[FindingKey]) -> None:
        self._found = found
        self._keys = keys

    def check(self, findings: Mapping[FindingKey, Finding]) -> None:
        """Raises GoalReached if these are the findings of the whole run, and nothing is missing."""
        if findings is self._found and self._keys <= findings.keys():
            raise GoalReached
