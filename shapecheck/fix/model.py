"""Options and results of the codemod for one file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum

from shapecheck.diagnostics import Diagnostic

DEFAULT_WIDTH = 88
"""The line length if the project does not configure one: the default of black and ruff."""


class Style(str, Enum):
    """How a typed `__call__` is written: seen by type checkers only, or a real method."""

    TYPING = "typing"
    RUNTIME = "runtime"


class FixStatus(str, Enum):
    """The outcome of one file."""

    CLEAN = "clean"
    CHANGED = "changed"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FixOptions:
    """The options of a run."""

    select: frozenset[str]
    """Codes of the enabled fixers."""
    style: Style = Style.TYPING
    untyped: bool = False
    """Also add a `__call__` for an unannotated forward."""
    generated: bool = False
    """Also fix generated files."""
    decorators: frozenset[str] = frozenset()
    """Names of further decorators that keep the signature of what they decorate, with or without their module."""
    line_length: int | None = None
    """The line length; None: that of black or ruff in the configuration of the project, else 88."""
    write: bool = True
    diff: bool = False

    @property
    def width(self) -> int:
        """The line length to use."""
        return self.line_length or DEFAULT_WIDTH


@dataclass(slots=True)
class FileResult:
    """The result of one file; small, because a worker process sends it to the command."""

    path: str
    outcome: FixStatus = FixStatus.CLEAN
    reason: str = ""
    """Why the file was skipped or failed: one line."""
    fixed: list[Diagnostic] = field(default_factory=list)
    """What was fixed, or would be if the file were written."""
    left: list[Diagnostic] = field(default_factory=list)
    """What needs a manual change, the failure included."""
    classes: int = 0
    """nn.Module subclasses with a forward."""
    tally: Counter[str] = field(default_factory=Counter)
    """The number of classes per action ("added", "updated", "removed", "up to date") or reason for no action."""
    diff: str = ""
    new_text: str | None = None
    """The fixed text, kept only for standard input."""
