"""Settings that all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# Machines that run tests are shared: no test fails for being slow. CI draws the same examples each time.
settings.register_profile("shapecheck", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("shapecheck")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Tests and torch stay until the end: the garbage collector looks neither while they load, nor at them later."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
