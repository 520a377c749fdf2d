"""Comments addressed to this tool: `# shapecheck: ignore[code]`, and the marks of generated files."""

from __future__ import annotations

import re
from typing import NamedTuple

from shapecheck.lazy_pattern import lazy_pattern

_IGNORE = lazy_pattern(r"#\s*shapecheck:\s*ignore(?:\[(?P<codes>[^\]]*)\])?")
_GENERATED = lazy_pattern(
    r"@generated\b|\bauto(?:matically)?[- ]?generated\b|\bgenerated\b.*\bdo not edit\b|\bdo not edit\b.*\bgenerated\b",
    re.IGNORECASE,
)
_HEAD = 2_000


class Ignore(NamedTuple):
    """A comment that suppresses findings: its position in the line, and its codes; None for every code."""

    column: int
    end: int
    text: str
    codes: tuple[str, ...] | None


def ignores_in(line: str) -> list[Ignore]:
    """The comments in a line that suppress findings."""
    if "shapecheck" not in line:
        return []
    return [
        Ignore(found.start(), found.end(), found[0], None if found["codes"] is None else _names(found["codes"]))
        for found in _IGNORE.finditer(line)
    ]


def ignores(line: str, code: str) -> bool:
    """Whether a comment on a line suppresses a code."""
    return any(one.codes is None or code in one.codes for one in ignores_in(line))


def _names(codes: str) -> tuple[str, ...]:
    return tuple(name for one in codes.split(",") if (name := one.strip()))


def is_generated(text: str) -> bool:
    """Whether the comments at the top of a file mark it as generated."""
    head = text[:_HEAD]
    if "generated" not in head.lower():
        return False
    for line in head.splitlines():
        stripped = line.lstrip()
        if stripped and not stripped.startswith("#"):
            return False
        if _GENERATED.search(stripped):
            return True
    return False
