"""Exemptions from guard rules: `"silent-broadcast"`, `"src/vendor/*"`, `"model.py:12"`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from fnmatch import fnmatch

from shapecheck.diagnostics import CODES
from shapecheck.runtime.guards.places import SourceLocation
from shapecheck.spec.presentation import value_text


def checked_entries(entries: Iterable[str]) -> tuple[str, ...]:
    """The entries of an allow-list; ValueError for one that is empty or not a string."""
    found = tuple(entries)
    wrong = [one for one in found if not isinstance(one, str) or not one.strip()]
    if isinstance(entries, str) or wrong:
        given = entries if isinstance(entries, str) else wrong[0]
        raise ValueError(
            f'expected allow to be a list of codes, paths and lines ("model.py:12"), got {value_text(given)}'
        )
    return found


def is_allowed(entries: Collection[str], code: str, place: SourceLocation) -> bool:
    """Whether an entry is the code, or matches the file or the line by the end of its path."""
    return any(one == code if one in CODES else _matches(one, place) for one in entries)


def _matches(entry: str, place: SourceLocation) -> bool:
    path, _, line = entry.rpartition(":")
    if not line.isdigit() or not path:
        path, line = entry, str(place.line)
    here = place.path.replace(os.sep, "/")
    return line == str(place.line) and any(fnmatch(here, pattern) for pattern in (path, f"*/{path}"))
