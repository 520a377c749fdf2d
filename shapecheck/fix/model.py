"""Options and results of the codemod for one file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum

from shapecheck.diagnostics import Diagnostic

DEFAULT_WIDTH = 88
"""Columns of a line where the project does not say: black's and ruff's own."""


class Style(str, Enum):
    """How a typed `__call__` is written: seen by type checkers only, or a real method."""

    TYPING = "typing"
    RUNTIME = "runtime"


class FixStatus(str, Enum):
    """What became of one file."""

    CLEAN = "clean"
    CHANGED = "changed"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FixOptions:
    """The choices that hold for a whole run."""

    select: frozenset[str]
    """Codes of the fixers in force."""
    style: Style = Style.TYPING
    untyped: bool = False
    """Give also an unannotated forward its `__call__`."""
    generated: bool = False
    """Touch generated files too."""
    decorators: frozenset[str] = frozenset()
    """Names of further decorators that keep the signature of what they decorate, with or without their module."""
    line_length: int | None = None
    """Columns; None: what the project tells black or ruff, else 88."""
    write: bool = True
    diff: bool = False

    @property
    def width(self) -> int:
        """Columns of a line."""
        return self.line_length or DEFAULT_WIDTH


@dataclass(slots=True)
class FileResult:
    """What happened to one file; small, because it crosses from a worker process to the command."""

    path: str
    outcome: FixStatus = FixStatus.CLEAN
    reason: str = ""
    """Why the file was skipped or failed: one line."""
    fixed: list[Diagnostic] = field(default_factory=list)
    """What was mended, or would be if writing were on."""
    left: list[Diagnostic] = field(default_factory=list)
    """What is for a person to mend, the failure included."""
    classes: int = 0
    """nn.Module subclasses with a forward."""
    tally: Counter[str] = field(default_factory=Counter)
    """How many classes per action ("added", "updated", "removed", "up to date") or reason why nothing was done."""
    diff: str = ""
    new_text: str | None = None
    """The fixed text, kept only for standard input."""
