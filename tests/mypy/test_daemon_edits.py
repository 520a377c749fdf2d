"""After each of some random edits the daemon says what a fresh run says; `SHAPECHECK_EDITS=200` for a longer search.

The daemon is a process of its own. The fresh runs are made here, one after the other, with a cache that knows the stubs
of torch and what Python itself brings, and is put back after each.
"""

from __future__ import annotations

import gc
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from edited_project import CLEAN, TEXTS, State, write, write_stubs
from mypy import api
from mypy.dmypy.client import request
from mypy.version import __version__ as version

from tests.amount import amount
from tests.patience import PATIENCE

EDITS = amount("SHAPECHECK_EDITS", short=60, long=200)
SEED = int(os.environ.get("SHAPECHECK_SEED", "5"))
"""Both may be set by hand, for a longer search."""
CONFIG = "[mypy]\nplugins = shapecheck.mypy\nshow_column_numbers = True\n"
FLAGS = ("--no-error-summary", "--cache-dir")


def lines(output: str) -> list[str]:
    return sorted(output.splitlines())


class Project:
    """The files, and the two ways to check them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.folder.mkdir()
        (self.folder / "mypy.ini").write_text(CONFIG)
        self._status = str(folder / "status.json")
        self._base, self._cache = folder / "base", folder / "cache"

    def prepare(self) -> None:
        seed = self.folder / "seed.py"
        seed.write_text("import torch\nfrom torch import nn\nfrom jaxtyping import Float\n")
        api.run([*FLAGS, str(self._base), str(seed)])
        seed.unlink()

    def start(self) -> None:
        flags = [*FLAGS, str(self._cache), "."]
        subprocess.run(
            [sys.executable, "-m", "mypy.dmypy", "--status-file", self._status, "start", "--", *flags],
            cwd=self.folder, check=True, capture_output=True, timeout=PATIENCE,
        )  # fmt: skip

    def stop(self) -> None:
        request(self._status, "stop")

    def daemon(self) -> list[str]:
        args = [*FLAGS, str(self._cache), "."]
        answer = request(self._status, "run", version=version, args=args, export_types=False)
        assert answer.get("status") in (0, 1, 2), answer
        return lines(answer["out"])

    def fresh(self) -> list[str]:
        cache = Path(shutil.copytree(self._base, self.folder.parent / "fresh"))
        out, err, _ = api.run([*FLAGS, str(cache), "."])
        shutil.rmtree(cache)
        gc.collect()  # the plugin looks for mypy's build among all objects, those of the runs before too
        return lines(out or err)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("MYPYPATH", str(write_stubs(tmp_path / "stubs")))
    project = Project(tmp_path)
    monkeypatch.chdir(project.folder)
    project.prepare()
    write(project.folder, CLEAN)
    project.start()
    yield project
    project.stop()


def states() -> Iterator[State]:
    choice = random.Random(SEED)
    state = dict(CLEAN)
    for _ in range(EDITS):
        name = choice.choice([*TEXTS, "use.py"])
        others = [number for number in range(len(TEXTS[name])) if number != state[name]]
        state[name] = choice.choice(others)
        yield dict(state)


def test_the_daemon_says_what_a_fresh_run_says(project: Project) -> None:
    assert project.fresh() == project.daemon() == []
    told: set[str] = set()
    for number, state in enumerate(states()):
        write(project.folder, state)
        fresh = project.fresh()
        assert project.daemon() == fresh, (number, state)
        told.update(fresh)
    assert len([line for line in told if "[shape-mismatch]" in line]) > 10
