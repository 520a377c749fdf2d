"""Lines that the summaries of several commands have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def excluded_lines(excluded: Mapping[str, int]) -> Iterator[str]:
    """What the search for files skipped, by reason."""
    for reason, count in excluded.items():
        name = "1 file or directory" if count == 1 else f"{count:,} files and directories"
        yield f"Skipped {name}: {reason}"
