"""Findings from a second process: the same as without it, and a missing answer where that goes wrong."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

import shapecheck.mypy.background as module
from shapecheck.diagnostics import DEFAULT_CHECKS
from shapecheck.mypy.background import Background
from shapecheck.project.findings_log import FindingsLog
from shapecheck.project.requests import Request, is_continued
from shapecheck.static.entry.server import FindingsServer
from tests.patience import PATIENCE

CODES = frozenset(DEFAULT_CHECKS)
BAD = "import torch\n\ndef run(x):\n    return torch.zeros(3) + torch.zeros(4)\n"
GOOD = "import torch\n\ndef run(x):\n    return torch.zeros(3) + torch.zeros(3)\n"
LONG = PATIENCE


@pytest.fixture
def requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    monkeypatch.chdir(tmp_path)
    for name, text in (("good.py", GOOD), ("bad.py", BAD)):
        (tmp_path / name).write_text(text)
    return [Request(0, str(tmp_path / "good.py"), "codes", "1"), Request(1, str(tmp_path / "bad.py"), "codes", "2")]


def asked(requests: list[Request], **how: bool) -> tuple[Background, FindingsLog]:
    log = FindingsLog(str(Path("log.jsonl").absolute()))
    background = Background(log, [str(Path.cwd())], **how)
    for one in requests:
        background.ask(one, CODES)
    return background, log


def exit_code(background: Background) -> int:
    assert background._process is not None
    return background._process.wait(LONG)


def test_answers_are_those_of_this_process(requests: list[Request]) -> None:
    background, log = asked(requests)
    background.wait([one[1:] for one in requests], LONG)
    here = FindingsServer([str(Path.cwd())])
    assert [log.findings(one[1:]) for one in requests] == [here.findings(one.path, CODES) for one in requests]
    assert [len(log.findings(one[1:])) for one in requests] == [0, 1]
    background.close()


def test_a_wait_ends_after_the_given_time(requests: list[Request]) -> None:
    background, log = asked(requests)
    began = time.perf_counter()
    background.wait([requests[1][1:]], 0.01)  # less than Python's own start
    assert time.perf_counter() - began < LONG
    assert requests[1][1:] not in log
    background.close()


def test_it_ends_with_its_client(requests: list[Request]) -> None:
    background, log = asked(requests)
    process = background._process
    background.close()
    assert process is not None
    assert process.wait(LONG) == 0
    log.poll()
    assert requests[1][1:] not in log


def test_what_is_left_to_it_is_computed_after_its_client_has_ended(requests: list[Request]) -> None:
    background, log = asked(requests)
    background.finish()
    process = background._process
    background.close()
    assert process is not None
    assert process.wait(LONG) == 0
    log.poll()
    assert all(one[1:] in log for one in requests)


def test_a_later_process_takes_over(requests: list[Request]) -> None:
    earlier, log = asked(requests)
    earlier.finish()
    later, _ = asked([])
    later._start()
    process = earlier._process
    earlier.close()
    assert process is not None
    assert process.wait(LONG) == 0
    log.poll()
    assert not all(one[1:] in log for one in requests), "at most the file that it was checking"
    later.close()


def test_a_log_that_is_not_written_to_is_not_continued(tmp_path: Path) -> None:
    log = str(tmp_path / "log")
    assert not is_continued(log)
    owner = tmp_path / "log.owner"
    owner.write_text("1 2")
    assert is_continued(log)
    os.utime(owner, (0, 0))
    assert not is_continued(log)


def test_a_temporary_log_is_removed(requests: list[Request]) -> None:
    background, _ = asked(requests, is_temporary=True)
    background.wait([one[1:] for one in requests], LONG)
    background.finish()
    process = background._process
    background.close()
    assert process is not None
    process.wait(LONG)
    assert {one.name for one in Path().iterdir()} == {"bad.py", "good.py"}


def test_names_of_the_standard_library_in_the_working_directory_do_no_harm(requests: list[Request]) -> None:
    for name in ("ast.py", "queue.py", "pickle.py", "shapecheck.py"):
        Path(name).write_text("raise SystemExit(3)\n")
    background, log = asked(requests)
    background.wait([requests[1][1:]], LONG)
    assert log.findings(requests[1][1:])
    background.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent there")
def test_one_that_dies_gives_no_answer_and_is_not_waited_for(requests: list[Request]) -> None:
    background, log = asked(requests)
    assert background._process is not None
    os.kill(background._process.pid, signal.SIGKILL)
    assert exit_code(background) == -signal.SIGKILL
    background.wait([requests[1][1:]])
    assert requests[1][1:] not in log
    assert background.exit_code == -signal.SIGKILL
    background.ask(requests[0]._replace(digest="3"), CODES)
    assert not background.has_asked(requests[0]._replace(digest="3")[1:])


def test_a_python_that_cannot_be_started(requests: list[Request], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(Path.cwd() / "python"))
    background, log = asked(requests)
    background.wait([requests[1][1:]])
    assert (background.exit_code, requests[1][1:] in log) == (127, False)


def test_a_file_that_cannot_be_read_has_no_findings(requests: list[Request]) -> None:
    gone = Request(0, str(Path("gone.py").absolute()), "codes", "")
    background, log = asked([gone, *requests])
    background.wait([gone[1:], requests[1][1:]], LONG)
    assert log.findings(gone[1:]) == []
    assert log.findings(requests[1][1:])
    background.close()


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="there are no priorities")
@pytest.mark.parametrize(("cores", "waits", "priority"), [(1, False, 19), (2, False, 10), (2, True, 0)])
def test_mypy_precedes_it(
    requests: list[Request], cores: int, waits: bool, priority: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "available_cores", lambda: cores)
    background, _ = asked(requests, is_waited_for=waits)
    background.wait([requests[0][1:]], LONG)
    assert background._process is not None
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, background._process.pid) == min(19, own + priority)
    background.close()
