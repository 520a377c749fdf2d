"""A forked Python does what a new one does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import forked

PROGRAM = """\
import atexit, os, sys
from pathlib import Path

class Thing: ...

print(sys.argv, Path(sys.path[0]), __name__, __file__, Thing.__module__, os.environ.get("ASKED"), os.getcwd())
print(sys.stdin.read(), sys.stdout.isatty(), file=sys.stderr)
print(sorted({"tests", "server", "runpy"} & vars().keys()))
atexit.register(print, "the end")
"""
ENDS = {
    "normally": "",
    "with a code": "sys.exit(3)",
    "with a message": "sys.exit('no')",
    "with an exception": "def f():\n    raise ValueError('é')\nf()",
    "with a process": "import subprocess; print(subprocess.run([sys.executable, '-c', 'print(1)']).returncode)",
    "with a thread": "import threading as t; t.Thread(target=lambda: t.main_thread().join() or print('last')).start()",
}
Done = tuple[int, str, str]


def run(python: str, folder: Path, *arguments: str) -> Done:
    environment = {**os.environ, "ASKED": "yes"}
    done = subprocess.run(
        [python, *arguments], cwd=folder, env=environment, input="given", capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(params=list(ENDS.values()), ids=list(ENDS))
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM + request.param)
    return tmp_path


@pytest.mark.parametrize(
    "arguments", [("folder/program.py", "a", "-b"), ("-m", "folder.program", "a"), ("-m", "folder.absent")]
)
def test_a_program_runs_and_ends_as_in_a_new_process(program: Path, arguments: tuple[str, ...]) -> None:
    assert run(forked.python(), program, *arguments) == run(sys.executable, program, *arguments)


def test_code_runs_as_in_a_new_process(tmp_path: Path) -> None:
    code = "import sys; print(sys.argv, repr(sys.path[0]), __name__); undefined"
    assert run(forked.python(), tmp_path, "-c", code, "x") == run(sys.executable, tmp_path, "-c", code, "x")


POOL = """\
import multiprocessing, os

def job(n):
    return n + 1, os.getppid()

if __name__ == "__main__":
    with multiprocessing.get_context("forkserver").Pool(2) as pool:
        found = pool.map(job, range(5))
    print([number for number, _ in found], {parent for _, parent in found} & {os.getpid()})
"""


def test_a_fork_server_works(tmp_path: Path) -> None:
    (tmp_path / "pool.py").write_text(POOL)
    assert run(forked.python(), tmp_path, "pool.py") == (0, "[1, 2, 3, 4, 5] set()\n", "")


def test_a_sitecustomize_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('first')\n")
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parents[1]}{os.pathsep}{tmp_path}")
    assert run(forked.python(), tmp_path, "-c", "print('second')")[1] == "first\nsecond\n"


def test_processes_do_not_share_random_numbers(tmp_path: Path) -> None:
    code = "import random, numpy, torch; print(random.random(), numpy.random.rand(), torch.rand(1))"
    assert run(forked.python(), tmp_path, "-c", code)[1] != run(forked.python(), tmp_path, "-c", code)[1]


def test_a_command_of_the_environment_is_forked(tmp_path: Path) -> None:
    said = run(str(forked.commands() / "shapecheck"), tmp_path, "explain", "shape-mismatch")
    assert said[0] == 0
    assert said[1].startswith("# shape-mismatch")


def test_another_copy_of_the_package_is_imported(tmp_path: Path) -> None:
    """The server has imported that of the checkout."""
    (tmp_path / "shapecheck").mkdir()
    copy = tmp_path / "shapecheck" / "__init__.py"
    copy.write_text("")
    code, printed, _ = run(forked.python(), tmp_path, "-c", "import shapecheck; print(shapecheck.__file__)")
    assert (code, printed) == (0, f"{copy}\n")
