from __future__ import annotations

import io

from rich.console import Console

from shapecheck.harness.results import Status
from shapecheck.harness.show.progress import progress


def test_a_file_gets_nothing() -> None:
    stream = io.StringIO()
    with progress(2, Console(file=stream)) as advance:
        advance.started("a")
        advance("a", Status.PASSED)
    assert stream.getvalue() == ""


def test_a_terminal_sees_what_runs_and_how_much_is_done() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=160, color_system=None)
    with progress(5, console) as advance:
        for name in ("a", "b[x]", "c", "d", "e"):
            advance.started(name)
        advance("a", Status.FAILED)
    last = stream.getvalue().split("\r")
    assert any("1/5" in frame and "1 failed  b[x], c, d and 1 more" in frame for frame in last)


def test_nothing_stays_of_the_bar() -> None:
    stream = io.StringIO()
    with progress(1, Console(file=stream, force_terminal=True, width=80)) as advance:
        advance("a", Status.PASSED)
    assert "\x1b[2K" in stream.getvalue().rpartition("1/1")[2]


def test_no_case_is_no_bar() -> None:
    stream = io.StringIO()
    with progress(0, Console(file=stream, force_terminal=True)):
        pass
    assert stream.getvalue() == ""
