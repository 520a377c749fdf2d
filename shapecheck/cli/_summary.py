"""The summary of a run as sentences: `Found 2 errors in 1 file (checked 9 files in 0.4 s)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

_SEVERITIES = ("error", "warning", "note")


def counted(count: int, name: str) -> str:
    """`1 file`, `1,200 files`."""
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def counted_severities(counts: Mapping[str, int]) -> str:
    """`2 errors, 1 warning and 3 notes`, the most severe first; empty without findings."""
    return listed(counted(counts[name], name) for name in _SEVERITIES if counts.get(name))


def listed(items: Iterable[str]) -> str:
    """`a, b and c`."""
    *most, last = list(items) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def excluded_lines(excluded: Mapping[str, int]) -> Iterator[str]:
    """What the search for files skipped, by reason."""
    for reason, count in excluded.items():
        name = "1 file or directory" if count == 1 else f"{count:,} files and directories"
        yield f"Skipped {name}: {reason}"
