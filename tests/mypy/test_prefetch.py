"""Findings from a process beside mypy's: the same as without it, and none where that goes wrong."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

import shapecheck.mypy.prefetch as module
from shapecheck.diagnostics import DEFAULT_CHECKS
from shapecheck.mypy.prefetch import Prefetch
from shapecheck.static.entry.server import FindingsServer

CODES = frozenset(DEFAULT_CHECKS)
BAD = "import torch\n\ndef run(x):\n    return torch.zeros(3) + torch.zeros(4)\n"
GOOD = "import torch\n\ndef run(x):\n    return torch.zeros(3) + torch.zeros(3)\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(module, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(module, "available_cores", lambda: 2)
    monkeypatch.chdir(tmp_path)
    for name, text in (("bad.py", BAD), ("good.py", GOOD)):
        (tmp_path / name).write_text(text)
    return [str(tmp_path / "good.py"), str(tmp_path / "bad.py")]


def asked(files: list[str]) -> Prefetch:
    ahead = Prefetch([str(Path.cwd())])
    for path in files:
        ahead.ask(path, CODES)
    return ahead


def test_answers_are_those_of_this_process_in_any_order(files: list[str]) -> None:
    ahead = asked(files)
    here = FindingsServer([str(Path.cwd())])
    answers = {path: ahead.answer(path, CODES) for path in reversed(files)}
    assert answers == {path: here.findings(path, CODES) for path in files}
    assert [len(answers[path] or []) for path in files] == [0, 1]


def test_it_ends_with_the_last_answer(files: list[str]) -> None:
    ahead = asked(files)
    process = ahead._process
    assert process is not None
    for path in files:
        assert process.poll() is None
        ahead.answer(path, CODES)
    assert process.poll() == 0


def test_what_was_not_asked_has_no_answer(files: list[str]) -> None:
    ahead = asked(files[:1])
    assert ahead.answer(files[1], CODES) is None
    assert ahead.answer(files[0], CODES | {"missing-device"}) is None
    assert ahead.answer(files[0], CODES) == []


def test_names_of_the_standard_library_in_the_working_folder_do_no_harm(files: list[str]) -> None:
    for name in ("ast.py", "queue.py", "pickle.py", "shapecheck.py"):
        Path(name).write_text("raise SystemExit(3)\n")
    assert asked(files).answer(files[1], CODES)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent there")
def test_one_that_dies_gives_no_answer(files: list[str]) -> None:
    ahead = asked(files)
    assert ahead._process is not None
    os.kill(ahead._process.pid, signal.SIGKILL)
    ahead._process.wait()
    assert ahead.answer(files[1], CODES) is None
    ahead.ask(files[0], CODES)
    assert ahead.answer(files[0], CODES) == [], "another one may be started"


def test_a_python_that_cannot_be_started(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(Path.cwd() / "python"))
    assert asked(files).answer(files[1], CODES) is None


def test_a_file_that_cannot_be_read_has_no_findings(files: list[str]) -> None:
    ahead = asked([*files, "gone.py"])
    assert ahead.answer("gone.py", CODES) == []
    assert ahead.answer(files[1], CODES)


@pytest.mark.parametrize("cores", [1, 2])
def test_on_one_core_it_is_not_started(files: list[str], cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_cores", lambda: cores)
    assert (asked(files)._process is not None) is (cores > 1)


def test_for_little_source_it_is_not_started(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORTH_A_PROCESS", len(BAD) + len(GOOD))
    assert asked(files[:1])._process is None
    assert asked(files)._process is not None
