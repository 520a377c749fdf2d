"""The source lines around a finding, read when a report is shown; unreadable files are omitted."""

from __future__ import annotations

import os
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck.diagnostics import Diagnostic
from shapecheck.project.source import SourceError, SourceFile

_LARGEST = 5_000_000
"""The maximum size in bytes of a file written by hand."""


@dataclass
class Sources:
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


def marked_part(finding: Diagnostic, text: str) -> tuple[int, int]:
    """Where the marker of a finding starts and ends in its line; a comment after the code is not marked."""
    start = max(finding.column - 1, 0)
    end = finding.end_column - 1 if finding.end_line == finding.line else len(text)
    if not text[:start].strip() and end >= len(text.rstrip()):  # all of the line
        end = _end_of_code(text) or end
    return start, end


def _end_of_code(text: str) -> int:
    """Where the code of a line ends, without the comment after it; 0 if the line contains no code."""
    indent = len(text) - len(text.lstrip())
    end = 0
    try:
        for token in tokenize.generate_tokens(iter([text[indent:]]).__next__):
            if token.type == tokenize.COMMENT:
                return end
            if token.string.strip():
                end = indent + token.end[1]
    except (SyntaxError, tokenize.TokenError):  # a part of a statement of several lines
        pass
    return end


def _read(path: str) -> list[str]:
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST:  # noqa: PTH113, PTH202 - Path.is_file may raise
            return []
        text = SourceFile.from_bytes(Path(path).read_bytes(), Path(path))
    except (OSError, SourceError, ValueError):
        return []
    return [line.rstrip("\r\n") for line in text.lines]
