"""How much work something is, counted, so that a busy machine measures what a calm one does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def steps(run: Callable[[], object]) -> int:
    """Calls and returns of Python and C functions while `run` runs."""
    count = 0

    def tick(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(tick)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count
