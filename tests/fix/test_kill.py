"""`shapecheck fix` killed at any moment leaves every file whole: its old bytes or its new ones.

12 runs by default; `SHAPECHECK_KILL_RUNS=200 python -m pytest tests/fix/test_kill.py` for the full count.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.amount import amount

from .support import fix_text

RUNS = amount("SHAPECHECK_KILL_RUNS", short=12, long=60)
FILES = 60
COMMAND = (sys.executable, "-m", "shapecheck", "fix", "--quiet", "--jobs", "2")

_CLASS = '''

class Block{n}(nn.Module):
    """Block {n} of this file."""

    def __init__(self) -> None:
        super().__init__()
        self.proj = nn.Linear({n}, {n})

    def forward(self, x: Tensor, scale: float = {n}.0) -> Tensor:
        y: Tensor = self.proj.forward(x)
        return y * scale
'''

_PADDING = "# the tree is heavy enough for two worker processes\n" * 200


def _tree(folder: Path) -> None:
    for number in range(FILES):
        path = folder / f"pkg{number % 6}" / f"model{number}.py"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(_source(number))


def _source(number: int) -> str:
    classes = "".join(_CLASS.format(n=n) for n in range(1, 2 + number % 10))
    return f"from torch import Tensor, nn\n{classes}\n{_PADDING}"


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*.py"))}


def _start(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, str(folder)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_every_file_is_old_or_new(tmp_path: Path) -> None:
    pristine = tmp_path / "pristine"
    _tree(pristine)
    old = _contents(pristine)
    new = {name: fix_text(text.decode()).encode() for name, text in old.items()}
    assert all(old[name] != new[name] for name in old)

    work = tmp_path / "work"
    shutil.copytree(pristine, work)
    began = time.monotonic()
    assert _start(work).wait(120) == 0
    took = time.monotonic() - began
    assert _contents(work) == new, "a run that is not killed fixes every file"

    rng = random.Random(7)
    partial = 0
    for _ in range(RUNS):
        shutil.rmtree(work)
        shutil.copytree(pristine, work)
        process = _start(work)
        time.sleep(rng.uniform(0.2, 1.0) * took)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)
        found = _contents(work)
        assert found.keys() == old.keys(), "no stray Python file is left"
        broken = [name for name in old if found[name] not in (old[name], new[name])]
        assert broken == []
        partial += old != found != new
    assert partial, "some of the runs were killed in the middle of their writing"

    assert _start(work).wait(120) == 0
    assert _contents(work) == new, "the next run ends what a killed one began"
