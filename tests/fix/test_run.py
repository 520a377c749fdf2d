"""The worker processes: order, death, and what they do when they are left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shapecheck.diagnostics.codes import FIXES
from shapecheck.fix import run
from shapecheck.fix.model import FileResult, FixOptions, FixStatus
from shapecheck.fix.one_file import FileFixer
from shapecheck.project.parallel import chunks
from tests.patience import AT_ONCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tests reach into workers by forking")

OPTIONS = FixOptions(frozenset(FIXES))


@pytest.fixture(autouse=True)
def always_parallel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_WORTH_A_PROCESS", 1)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.chdir(tmp_path)
    files = [tmp_path / f"m{number:02}.py" for number in range(30)]
    for number, path in enumerate(files):
        path.write_text("x = 1\n" * (1 + 1000 * (number % 7 == 5)))
    return files


def _run(files: list[Path]) -> list[FileResult]:
    return list(run.run(files, [], OPTIONS, 2))


def test_results_come_in_the_order_of_the_files(files: list[Path]) -> None:
    assert [result.path for result in _run(files)] == [path.name for path in files]


def test_chunks_hold_every_file_once_in_order(files: list[Path]) -> None:
    sizes = [path.stat().st_size for path in files]
    found = chunks(files, sizes, 40)
    assert [path for chunk in found for path in chunk] == files
    assert 5 < len(found) <= 40
    assert chunks([], [], 10) == []
    assert chunks(files[:3], [0, 0, 5], 10) == [files[:2], files[2:3]]


def test_chunks_become_smaller_to_the_end() -> None:
    paths = [Path(f"{number}.py") for number in range(100)]
    lengths = [len(chunk) for chunk in chunks(paths, [10] * 100, 50)]
    assert lengths == sorted(lengths, reverse=True)
    assert (lengths[0], lengths[-1]) == (12, 2)


def test_a_worker_that_is_killed_costs_one_file(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()
    real = FileFixer.fix

    def fix(self: FileFixer, path: Path) -> FileResult:
        if path.name in ("m03.py", "m20.py") and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(self, path)

    monkeypatch.setattr(FileFixer, "fix", fix)
    results = _run(files)
    assert [result.path for result in results] == [path.name for path in files]
    failed = {result.path: result for result in results if result.outcome is FixStatus.FAILED}
    assert set(failed) == {"m03.py", "m20.py"}
    assert "the system killed its process" in failed["m03.py"].left[0].message


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"  # nobody may be there to reap an orphan


def test_workers_end_with_their_parent(files: list[Path], tmp_path: Path) -> None:
    program = tmp_path / "parent.py"
    program.write_text(
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from shapecheck.fix import run\n"
        "from shapecheck.fix.model import FixOptions\n"
        "from shapecheck.fix.one_file import FileFixer\n"
        "run._WORTH_A_PROCESS = 1\n"
        "FileFixer.fix = lambda self, path: (os.write(1, b'%d\\n' % os.getpid()), time.sleep(3600))\n"
        "list(run.run([Path(p) for p in sys.argv[1:]], [], FixOptions(frozenset()), 2))\n"
    )
    words = [sys.executable, str(program), *map(str, files)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        try:
            workers = [int(parent.stdout.readline()) for _ in range(2)]
            assert all(map(_alive, workers))
        finally:
            parent.kill()
    give_up = time.monotonic() + AT_ONCE
    while any(map(_alive, workers)) and time.monotonic() < give_up:
        time.sleep(0.02)
    assert not any(map(_alive, workers))
