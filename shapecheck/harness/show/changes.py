"""Changes since an earlier report as lines of text, and of Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.changes import ReportChanges
from shapecheck.harness.show.figures import plural


def lines_of(changes: ReportChanges) -> Iterator[str]:
    """What is new, what is fixed, and the cases that ended otherwise."""
    yield f"since the earlier report: {_counts(changes)}"
    yield from (f"  new: {_finding(one)}" for one in changes.new)
    yield from (f"  fixed: {_finding(one)}" for one in changes.fixed)
    for name, before, after in changes.outcomes:
        yield f"  {name}: {before or 'new'} => {after}"


def markdown_of(changes: ReportChanges) -> Iterator[str]:
    """One sentence below the findings that are new."""
    yield f"Since the earlier report: {_counts(changes)}."


def _counts(changes: ReportChanges) -> str:
    parts = [
        f"{plural(len(changes.new), 'new finding')}",
        f"{len(changes.fixed):,} fixed",
        f"{changes.known:,} known",
        f"{plural(len(changes.outcomes), 'case')} with another outcome",
    ]
    if changes.missing:
        parts.append(f"{plural(changes.missing, 'case')} not run")
    return ", ".join(parts)


def _finding(one: Diagnostic) -> str:
    return f"{one.path}:{one.line}: {one.severity.value}: {one.message} [{one.code}]"
