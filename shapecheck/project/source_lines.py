"""The source lines of findings, read when a report is written; unreadable files are omitted."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck.diagnostics import Diagnostic
from shapecheck.project.notebook import in_cells
from shapecheck.project.source import SourceError, SourceFile

_LARGEST = 5_000_000
"""The maximum size in bytes of a file written by hand."""
_MOST_QUOTED = 4
"""Lines of one finding."""
QuotedLines = dict[str, dict[int, str]]
"""The text of lines, by path and number."""


def shown(diagnostics: Sequence[Diagnostic], form: str) -> tuple[list[Diagnostic], dict[str, object]]:
    """The findings as a format shows them, and what its renderer needs in addition.

    People see the cells of notebooks, programs the lines of the whole notebook.
    """
    if form == "text":
        return list(in_cells(diagnostics)), {}
    if form == "markdown":
        found = list(in_cells(diagnostics))
        return found, {"lines": _quoted(diagnostics, found)}
    return list(diagnostics), {}


def _quoted(diagnostics: Sequence[Diagnostic], found: Sequence[Diagnostic]) -> QuotedLines:
    """The lines that findings mark, at the places where they are shown."""
    sources, lines = SourceLines(), QuotedLines()
    for one, place in zip(diagnostics, found, strict=True):
        for offset in range(min(one.end_line - one.line + 1, _MOST_QUOTED)):
            if text := sources.line(one.path, one.line + offset):
                lines.setdefault(place.path, {})[place.line + offset] = text
    return lines


@dataclass
class SourceLines:
    """Source files by path, each read once."""

    _lines: dict[str, list[str]] = field(default_factory=dict)

    def line(self, path: str, number: int) -> str:
        """The line without its line break; empty if it does not exist."""
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def around(self, path: str, number: int, margin: int) -> list[tuple[int, str]]:
        """The line and its neighbors with their numbers."""
        lines = self.lines(path)
        if not 0 < number <= len(lines):
            return []
        first = max(number - margin, 1)
        return list(enumerate(lines[first - 1 : number + margin], first))

    def lines(self, path: str) -> list[str]:
        """All lines of a file without line breaks."""
        if path not in self._lines:
            self._lines[path] = _read(path)
        return self._lines[path]


def _read(path: str) -> list[str]:
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST:  # noqa: PTH113, PTH202 - Path.is_file may raise
            return []
        text = SourceFile.from_bytes(Path(path).read_bytes(), Path(path))
    except (OSError, SourceError, ValueError):
        return []
    return [line.rstrip("\r\n") for line in text.lines]
