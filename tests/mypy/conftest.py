"""Real mypy processes on one shared cache: torch is read once for the whole folder."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.frozen import frozen
from tests.mypy_caches import PLUGIN, cache_with_torch

HERE = Path(__file__).parent
Run = Callable[..., str]


def mypy(folder: Path, *arguments: str | Path, cache: Path, module: str = "mypy") -> str:
    """The output of a mypy process in `folder`; a crash fails the test."""
    config = folder / "mypy.ini"
    if not config.exists():
        config.write_text("[mypy]\nplugins = shapecheck.mypy\nshow_traceback = True\npretty = False\n")
    flags = ("--cache-dir", cache, "--no-error-summary") if module == "mypy" else ()
    command = [sys.executable, "-m", module, *map(str, (*flags, *arguments))]
    for _ in range(3):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
        if "Cannot connect to build worker" not in done.stderr:
            break  # mypy gives its own workers some seconds to start, which a busy machine may not have
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert "INTERNAL ERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(autouse=True)
def _recursion_limit() -> Iterator[None]:
    """mypy in this process raises it, and a test that comes later and nests deeply would overflow the stack."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)


@pytest.fixture(autouse=True, scope="module")
def _frozen() -> Iterator[None]:
    """mypy in this process would unfreeze everything, and the plugin then look through all of it in each run."""
    with frozen(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "freeze", lambda: None)
        patch.setattr(gc, "unfreeze", lambda: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def _waits() -> Iterator[None]:
    """mypy waits for all findings, so that what it reports does not depend on the speed of the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CI", "true")
        yield


@pytest.fixture(scope="session")
def torch_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds torch, to be copied."""
    return cache_with_torch(tmp_path_factory, PLUGIN)


@pytest.fixture
def cache(torch_cache: Path, tmp_path: Path) -> Path:
    """A copy of that cache to write to."""
    return Path(shutil.copytree(torch_cache, tmp_path / "cache"))
