"""`shapecheck check` on a terminal: findings as they come, a progress bar, and the same report as elsewhere."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")

BROKEN = "import torch\n\ntorch.zeros(2, 3) @ torch.zeros(4, 5)\n"
FOUND = "{}:3:1: error: matmul: cannot multiply (2, 3) @ (4, 5): 3 != 4 [shape-mismatch]"
WAITING = """\
import pathlib, sys, time
from shapecheck.cli import _progress, main
from shapecheck.static.entry.checker import Checker

_progress._PATIENCE = 0.1
outcome = Checker.outcome

def waiting(self, path, asked):
    while path.name == "b.py" and not pathlib.Path("go").exists():
        time.sleep(0.01)
    return outcome(self, path, asked)

Checker.outcome = waiting
main()
"""
"""The command, in which the second file takes until a file `go` exists."""
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_SECONDS = 30


class Terminal:
    """What a command has written to its terminal so far."""

    def __init__(self, end: int) -> None:
        self._end = end
        self._read = b""
        self._last = time.monotonic() + _SECONDS

    @property
    def text(self) -> str:
        return _CODES.sub("", self._read.decode()).replace("\r\n", "\n")

    def until(self, words: str) -> str:
        while words not in self.text:
            assert self._more(), f"ended without {words!r}: {self.text}"
        return self.text

    def to_the_end(self) -> str:
        while self._more():
            pass
        return self.text

    def _more(self) -> bool:
        ready, _, _ = select.select([self._end], [], [], _SECONDS)
        assert ready and time.monotonic() < self._last, f"not within {_SECONDS} s: {self.text[-2000:]}"
        try:
            more = os.read(self._end, 4096)
        except OSError:  # Linux reports that the other end is closed
            return False
        self._read += more
        return bool(more)


@contextmanager
def on_terminal(argv: Sequence[str], folder: Path) -> Iterator[Terminal]:
    """Runs a command whose output and errors are a terminal."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        argv, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env={**environment, "TERM": "xterm-256color"}
    )
    os.close(theirs)
    try:
        yield Terminal(ours)
        process.wait(_SECONDS)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def check(*options: str) -> list[str]:
    return ["check", "--no-cache", "--no-site-packages", "--jobs", "1", *options]


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def test_findings_are_printed_before_the_next_file_is_checked(tmp_path: Path) -> None:
    write(tmp_path, a=BROKEN, b=BROKEN)
    with on_terminal([sys.executable, "-c", WAITING, *check("a.py", "b.py")], tmp_path) as terminal:
        text = terminal.until(FOUND.format("a.py"))
        assert "b.py" not in text
        (tmp_path / "go").touch()
        text = terminal.to_the_end()
    assert text.index(FOUND.format("a.py")) < text.index(FOUND.format("b.py")) < text.index("Found 2 errors in 2 files")
    assert text.count("shape-mismatch") == 2


def test_a_bar_shows_the_progress_while_a_file_takes_long(tmp_path: Path) -> None:
    write(tmp_path, a=BROKEN, b=BROKEN)
    with on_terminal([sys.executable, "-c", WAITING, *check("a.py", "b.py")], tmp_path) as terminal:
        terminal.until("1/2 files")
        (tmp_path / "go").touch()
        assert terminal.to_the_end().splitlines()[-1].startswith("Found 2 errors in 2 files")


@pytest.mark.parametrize("option", ["--format=json", "--format=github"])
def test_other_formats_are_printed_at_the_end(option: str, tmp_path: Path) -> None:
    write(tmp_path, a=BROKEN, b=BROKEN)
    with on_terminal([sys.executable, "-c", WAITING, *check(option, "a.py", "b.py")], tmp_path) as terminal:
        assert "cannot multiply" not in terminal.until("1/2 files")
        (tmp_path / "go").touch()
        assert "cannot multiply" in terminal.to_the_end()


TWICE = """\
import torch

def f(x):
    return x @ torch.zeros(4, 5)
"""
CALLER = """\
import torch
from a import f
from shapecheck import reveal_shape

reveal_shape(f(torch.zeros(2, 3)))
x = torch.zeros(2)  # shapecheck: ignore
"""


def test_everything_is_printed_once_and_the_same_as_in_a_pipe(tmp_path: Path) -> None:
    """Also what a later file finds in an earlier one, notes and unused comments."""
    write(tmp_path, a=TWICE + BROKEN.removeprefix("import torch\n"), b=CALLER)
    command = [sys.executable, "-m", "shapecheck", *check("--quiet", "--select", "all", ".")]
    piped = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    with on_terminal(command, tmp_path) as terminal:
        text = terminal.to_the_end()
    assert {"shape-mismatch", "revealed-shape", "unused-ignore"} <= set(re.findall(r"\[([\w-]+)\]", piped.stdout))
    assert sorted(text.splitlines()) == sorted(piped.stdout.splitlines())
    assert piped.stderr == ""


def test_findings_from_the_cache_are_printed_in_the_same_order(tmp_path: Path) -> None:
    write(tmp_path, a=BROKEN, b=BROKEN, c=BROKEN)
    command = [sys.executable, "-m", "shapecheck", "check", "--no-site-packages", "--quiet", "."]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    write(tmp_path, b=BROKEN + "\n")
    with on_terminal(command, tmp_path) as terminal:
        text = terminal.to_the_end()
    assert text.splitlines() == [FOUND.format(f"{name}.py") for name in "abc"]
