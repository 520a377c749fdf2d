"""The result for each file of a run, and the merged diagnostics of all files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from shapecheck.diagnostics import REVEALED, Diagnostic, Severity
from shapecheck.project.files import display_path
from shapecheck.project.reads import FileRead

UNKNOWN_TEXT = "unknown"
"""The start of a note about an unknown value."""
_MOST = 3  # different values that one note lists


@dataclass(frozen=True)
class FileOutcome:
    """The outcome of one file; small, because a worker process sends it."""

    path: Path
    diagnostics: list[Diagnostic]
    whole: bool = True
    """Whether it was checked to the end."""
    had_findings: bool = True
    """Whether the run had findings, reported or not: they depend on where code is, and on comments."""
    observed: frozenset[str] = frozenset()
    """The units that it observed."""
    reads: dict[str, FileRead] = field(default_factory=dict)
    """What its process has read since the previous outcome, by real path."""


def merged_diagnostics(found: Iterable[tuple[Path, list[Diagnostic]]]) -> list[Diagnostic]:
    """The findings of several files, with each position and code once: from the file itself, else the first."""
    own: dict[tuple[str, int, int, str, str], Diagnostic] = {}
    others: dict[tuple[str, int, int, str, str], Diagnostic] = {}
    for path, diagnostics in found:
        for one in diagnostics:
            home = own if one.path == display_path(path) else others
            told = one.message if one.code in REVEALED else ""
            home.setdefault((one.path, one.line, one.column, one.code, told), one)
    return _merged_notes({**others, **own}.values())


def _merged_notes(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The notes of one position as one, with up to three different values; known values replace unknown ones."""
    found: list[Diagnostic] = []
    notes: dict[tuple[str, int, int], list[Diagnostic]] = {}
    for one in diagnostics:
        if one.code in REVEALED and one.severity is Severity.NOTE:
            notes.setdefault((one.path, one.line, one.column), []).append(one)
        else:
            found.append(one)
    return found + [replace(several[0], message=_joined(several), notes=()) for several in notes.values()]


def _joined(several: list[Diagnostic]) -> str:
    texts = list(dict.fromkeys(one.message for one in several))
    known = [text for text in texts if not text.startswith(UNKNOWN_TEXT)] or texts[:1]
    more = f" or {len(known) - _MOST} more" if len(known) > _MOST else ""
    return " or ".join(known[:_MOST]) + more
