"""What takes long to make and several test files need: one of the processes that run tests makes it for all of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder of this name, filled by `make` once per run of the tests. Tests only read it."""
    top = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        top = top.parent
    folder = top / name
    with FileLock(top / f"{name}.lock"):
        if not folder.exists():
            unfinished = top / f"{name}.unfinished"
            unfinished.mkdir(exist_ok=True)
            make(unfinished)
            unfinished.rename(folder)
    return folder
