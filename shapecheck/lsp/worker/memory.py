"""The memory of this process."""

from __future__ import annotations

import sys
from pathlib import Path

_PAGES = Path("/proc/self/statm")
_PAGE = 4096


def megabytes() -> int:
    """The resident memory; the highest so far where the system does not show the present one; 0 if it shows neither."""
    try:
        return int(_PAGES.read_text().split()[1]) * _PAGE // 1_000_000
    except (OSError, ValueError, IndexError):
        pass
    if sys.platform == "win32":
        return 0
    import resource  # noqa: PLC0415 - not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // (1_000_000 if sys.platform == "darwin" else 1_000)
