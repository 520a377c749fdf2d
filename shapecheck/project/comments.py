"""Comments that speak to this tool: `# shapecheck: ignore[code]`, and the marks of generated files."""

from __future__ import annotations

import re

_IGNORE = re.compile(r"#\s*shapecheck:\s*ignore(?:\[(?P<codes>[^\]]*)\])?")
_GENERATED = re.compile(
    r"@generated\b|\bauto(?:matically)?[- ]?generated\b|\bgenerated\b.*\bdo not edit\b|\bdo not edit\b.*\bgenerated\b",
    re.IGNORECASE,
)
_HEAD = 2_000


def ignores(line: str, code: str) -> bool:
    """Whether a line of source silences a diagnostic code."""
    if "shapecheck" not in line:
        return False
    found = _IGNORE.search(line)
    if found is None:
        return False
    codes = found["codes"]
    return codes is None or code in {name.strip() for name in codes.split(",")}


def is_generated(text: str) -> bool:
    """Whether the comments at the head of a file say that a program wrote it."""
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
