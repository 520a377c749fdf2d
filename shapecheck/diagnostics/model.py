"""What a diagnostic is: a code, a place and a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(str, Enum):
    """How much a diagnostic matters; notes never change an exit code."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, order=True)
class Note:
    """A further line under a diagnostic, at a place of its own."""

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
    """The case of `shapecheck run` that shows it."""
    module: str = ""
    """The path of the module that was running, `blocks.0.attention`."""
