"""A comment that suppresses nothing is removed."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.lsp.messages import Replacement
from shapecheck.lsp.worker.candidate import Candidate, FixTarget

CODES = frozenset(("unused-ignore",))


def candidates(found: FixTarget) -> Iterator[Candidate]:
    """The edits for one finding."""
    one = found.diagnostic
    text = found.analysis.module.source.lines[one.line - 1]
    start = len(text[: one.column - 1].rstrip())
    yield Candidate("Remove the comment", (Replacement(one.line, start + 1, one.line, one.end_column, ""),))
