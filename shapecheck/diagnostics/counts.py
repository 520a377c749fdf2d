"""Numbers of things as text: `1 file`, `2 errors and 1 warning`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
