"""Which findings stand where a comment `# shapecheck: ignore[code]` silences them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from shapecheck.diagnostics import TROUBLES, Diagnostic
from shapecheck.project.comments import ignores
from shapecheck.project.source import SourceError, SourceFile


def without_silenced(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings that no comment on their first or last line silences; they come in the order of the files."""
    heard: list[Diagnostic] = []
    for path, found in groupby(diagnostics, key=attrgetter("path")):
        lines = _lines(Path(path))
        heard += (diagnostic for diagnostic in found if not _is_silenced(diagnostic, lines))
    return heard


def _is_silenced(diagnostic: Diagnostic, lines: Sequence[str]) -> bool:
    if diagnostic.code in TROUBLES:
        return False
    ends = {diagnostic.line, diagnostic.end_line}
    return any(ignores(lines[line - 1], diagnostic.code) for line in ends if 0 < line <= len(lines))


def _lines(path: Path) -> Sequence[str]:
    try:
        return SourceFile.from_bytes(path.read_bytes(), path).lines
    except (OSError, SourceError):
        return ()
