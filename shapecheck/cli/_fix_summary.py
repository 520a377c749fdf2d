"""The summary of a run of `shapecheck fix` as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shapecheck.cli._summary import excluded_lines
from shapecheck.diagnostics.counts import counted, counted_severities

_Counts = Mapping[str, Mapping[str, int]]
_HINTS = {"forward is unannotated": " (use --untyped)"}
"""What the user can do about a class, by the reason why it is skipped."""


def summary_lines(summary: _Counts, written: bool, seconds: float) -> Iterator[str]:
    """The lines of the summary; `summary` is that of the JSON report."""
    files = summary["files"]
    yield f"{_changed(files['changed'], written)} (checked {counted(files['seen'], 'file')} in {seconds:.1f} s)"
    direct = summary["fixed"].get("direct-forward", 0)
    if direct:
        yield f"{'Rewrote' if written else 'Would rewrite'} {counted(direct, 'direct call')} of forward"
    left = counted_severities(summary["left"])
    if left:
        yield f"Left {left} unfixed"
    yield from _class_lines(summary["classes"])
    if files["failed"]:
        yield f"Failed to process {counted(files['failed'], 'file')}"
    for reason, count in summary["skipped"].items():
        yield f"Skipped {counted(count, 'file')}: {reason}"
    yield from excluded_lines(summary["excluded"])


def _changed(count: int, written: bool) -> str:
    if not count:
        return "No changes"
    return f"{'Changed' if written else 'Would change'} {counted(count, 'file')}"


def _class_lines(classes: Mapping[str, int]) -> Iterator[str]:
    """The module classes, by what was done with their `__call__` or why nothing was."""
    seen = classes["seen"]
    yield f"Found {seen:,} module class{'' if seen == 1 else 'es'} with a forward{':' if seen else ''}"
    for kind, count in classes.items():
        if kind != "seen" and count:
            yield f"  {count:,} {kind}{_HINTS.get(kind, '')}"
