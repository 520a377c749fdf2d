"""The data model of a diagnostic: a code, a place and a message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Severity(str, Enum):
    """The severity of a diagnostic; notes never change an exit code."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class FailOn(str, Enum):
    """The lowest severity that makes the exit code 1."""

    WARNING = "warning"
    ERROR = "error"
    NEVER = "never"

    def meets(self, severities: Iterable[Severity]) -> bool:
        """Whether one of them is severe enough."""
        return not _FAILING[self].isdisjoint(severities)


_FAILING = {
    FailOn.WARNING: frozenset({Severity.ERROR, Severity.WARNING}),
    FailOn.ERROR: frozenset({Severity.ERROR}),
    FailOn.NEVER: frozenset[Severity](),
}


@dataclass(frozen=True, slots=True, order=True)
class Note:
    """An additional line of a diagnostic, with its own position."""

    path: str
    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One finding. Lines and columns count from 1; columns count code points; the end column is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: Severity
    message: str
    notes: tuple[Note, ...] = ()
    case: str = ""
    """The case of `shapecheck run` in which it occurs."""
    module: str = ""
    """The path of the module that was running, `blocks.0.attention`."""
    causes: tuple[str, ...] = ()
    """What it rests on: findings of one file and code that share a cause are one mistake (`project.same_cause`)."""
