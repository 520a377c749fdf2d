"""Keeps what is there out of garbage collections, for tests that collect often."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def frozen() -> Iterator[None]:
    """All objects that are there now are passed over by collections, and by searches for what refers to an object."""
    gc.freeze()
    yield
    gc.collect()  # only what came since; otherwise the next `freeze` would keep this garbage, and what it refers to
    gc.unfreeze()
