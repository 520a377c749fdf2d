"""The summary of a run as text: numbers in one column, what they count in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

_Figures = Mapping[str, Mapping[str, int]]


def summary_lines(summary: _Figures, written: bool, seconds: float) -> Iterator[str]:
    """The lines for a run of `shapecheck fix`; `summary` is that of the JSON report."""
    return in_columns(_rows(summary, written, seconds))


def in_columns(rows: Iterable[tuple[int, str]]) -> Iterator[str]:
    """A line for each number and what it counts."""
    rows = list(rows)
    width = max(len(f"{count:,}") for count, _ in rows)
    for count, label in rows:
        yield f"{count:>{width},}  {label}"


def _rows(summary: _Figures, written: bool, seconds: float) -> Iterator[tuple[int, str]]:
    yield summary["files"]["seen"], f"files seen, in {seconds:.1f} s"
    yield from _nonzero(
        {
            "changed" if written else "would change": summary["files"]["changed"],
            "unchanged": summary["files"]["unchanged"],
            **{f"skipped: {reason}": count for reason, count in summary["skipped"].items()},
            "failed": summary["files"]["failed"],
        }
    )
    classes = dict(summary["classes"])
    yield classes.pop("seen"), "module classes with a forward"
    yield from _nonzero({f"{kind}{_HINTS.get(kind, '')}": count for kind, count in classes.items()})
    direct = summary["fixed"].get("direct-forward", 0)
    if direct:
        yield direct, f"direct calls of forward {'rewritten' if written else 'to rewrite'}"
    for severity, count in summary["left"].items():
        yield count, f"{severity}{'' if count == 1 else 's'} left"
    yield from excluded_rows(summary["excluded"])


_HINTS = {"forward has no annotation": " (--untyped includes them)"}
"""What is to be done about a kind of class, behind its name."""


def excluded_rows(excluded: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """What the search for files passed over, by reason."""
    for reason, count in excluded.items():
        yield count, f"{'file or folder' if count == 1 else 'files and folders'} not looked at: {reason}"


def _nonzero(figures: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    return ((count, f"  {label}") for label, count in figures.items() if count)
