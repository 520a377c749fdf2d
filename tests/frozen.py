"""Keeps what is there out of garbage collections, for tests that collect often."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def frozen() -> Iterator[None]:
    """All objects that are there now are passed over by collections, and by searches for what refers to an object.

    Python counts frozen objects one by one, a tenth of a second each time; meanwhile the answer is only that there are.
    """
    gc.freeze()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "get_freeze_count", lambda: 1)
        yield
    gc.collect()  # only what came since; otherwise the next `freeze` would keep this garbage, and what it refers to
    gc.unfreeze()
