"""Names the Python that a line needs which the running Python cannot parse."""

from __future__ import annotations

import sys

from shapecheck.lazy_pattern import lazy_pattern

_FORMS = (
    ((3, 11), lazy_pattern(r"\s*except\s*\*")),
    ((3, 12), lazy_pattern(r"\s*type\s+\w+(?:\[.*\])?\s*=")),
    ((3, 12), lazy_pattern(r"\s*(?:class|def|async\s+def)\s+\w+\[")),
)
"""Forms of lines, and the first version that can parse them."""


def needed_version(line: str, running: tuple[int, int] = sys.version_info[:2]) -> str:
    """The first version that can parse a line, if it is newer than the running one; else an empty string."""
    needed = [version for version, form in _FORMS if version > running and form.match(line)]
    return ".".join(map(str, needed[0])) if needed else ""
