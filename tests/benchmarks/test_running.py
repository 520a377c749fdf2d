"""One benchmark after the other: what fails is one line, and what else was measured stays."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks import running, store
from benchmarks.__main__ import main, table
from benchmarks.ratios import Ratio
from benchmarks.registry import Benchmark
from benchmarks.running import Outcome, run_all

GOOD = Benchmark("good", "", 1, ("--rounds", "9"), quick=("--rounds", "1"))
BAD = Benchmark("bad", "", 1)
OFFLINE = Benchmark("offline", "", 1)
AWAY = Benchmark("away", "", 1, packages=("no_such_package",))


def fake_run(argv: list[str], **_: object) -> subprocess.CompletedProcess[str]:
    if "benchmarks.bad" in argv:
        return subprocess.CompletedProcess(argv, 1, stderr="Traceback\nValueError: no such thing\n")
    if "benchmarks.offline" in argv:
        return subprocess.CompletedProcess(argv, running.CANNOT_RUN, stderr="the package index cannot be reached\n")
    store.keep(Path(argv[-1]), "good", {"argv": argv[3:-2]}, [], [Ratio("a to b", 0.5, 1)])
    return subprocess.CompletedProcess(argv, 0, stderr="")


def test_what_fails_is_said_and_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.subprocess, "run", fake_run)
    file = tmp_path / "m.json"
    store.keep(file, "bad", {"old": 1}, [], [])
    bad, away, offline, good = run_all([BAD, AWAY, OFFLINE, GOOD], {}, file, quick=False)
    assert bad.failed == "exit 1: ValueError: no such thing"
    assert away.skipped == "needs no_such_package installed"
    assert (offline.skipped, offline.failed) == ("the package index cannot be reached", "")
    assert good.ratios == [Ratio("a to b", 0.5, 1)]
    kept = json.loads(file.read_text())["benchmarks"]
    assert kept["bad"]["figures"] == {"old": 1}, "figures of a benchmark that fails stay as they were"
    assert kept["good"]["figures"] == {"argv": ["--rounds", "9"]}


def test_within_some_minutes_the_oldest_figures_are_measured_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def note(argv: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        name = argv[2].removeprefix("benchmarks.")
        ran.append(name)
        store.keep(Path(argv[-1]), name, {}, [], [])
        return subprocess.CompletedProcess(argv, 0, stderr="")

    monkeypatch.setattr(running.subprocess, "run", note)
    file, chosen = (
        tmp_path / "m.json",
        [Benchmark(name, "", minutes) for name, minutes in (("a", 4), ("b", 9), ("c", 2))],
    )
    for name, date in (("a", "2026-11-02"), ("b", "2026-11-01")):
        store.keep(file, name, {}, [], [])
        document = json.loads(file.read_text())
        document["benchmarks"][name]["measured"] = date
        file.write_text(json.dumps(document))
    outcomes = {one.name: one.skipped for one in run_all(chosen, {}, file, quick=False, within=5)}
    assert ran == ["c", "a"], "one without figures is the first"
    assert outcomes == {"c": "", "b": "takes about 9 minutes, and 5 are left", "a": ""}
    ran.clear()
    list(run_all(chosen, {}, file, quick=False, within=10))
    assert ran[0] == "b"


@pytest.mark.parametrize("minutes", ["0", "-3", "nan", "soon"])
def test_minutes_that_are_no_positive_number_are_one_line(minutes: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--within", minutes])
    assert f"expected a positive number of minutes, got '{minutes}'" in capsys.readouterr().err


def test_a_quick_run_gives_the_least_of_arguments_last(tmp_path: Path) -> None:
    argv = running.command(GOOD, {}, tmp_path / "m.json", quick=True)
    assert argv[1:] == ["-m", "benchmarks.good", "--rounds", "9", "--rounds", "1", "--save", str(tmp_path / "m.json")]


def test_the_table_has_a_row_for_each() -> None:
    outcomes = [
        Outcome("good", [Ratio("a to b", 0.51234, 1), Ratio("found", 90, 95, at_least=True)]),
        Outcome("bad", failed="exit 1: ValueError"),
        Outcome("away", skipped="needs a CUDA device"),
    ]
    stream = io.StringIO()
    Console(file=stream, width=120).print(table(outcomes))
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in stream.getvalue().splitlines()]
    assert [row for row in rows if row] == [
        ["good", "a to b", "0.512", "at most 1", "met"],
        ["", "found", "90", "at least 95", "MISSED"],
        ["bad", "exit 1: ValueError", "", "", "FAILED"],
        ["away", "needs a CUDA device", "", "", "skipped"],
    ]


@pytest.mark.parametrize(("status", "code"), [(0, 0), (1, 1)])
def test_the_exit_code_is_1_if_one_failed(status: int, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(argv: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        store.keep(Path(argv[-1]), "start", {}, [], [])
        return subprocess.CompletedProcess(argv, status, stderr="no")

    monkeypatch.setattr(running.subprocess, "run", run)
    assert main(["--quick", "--only", "start"]) == code


def test_the_list_says_what_there_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.subprocess, "run", lambda *_, **__: pytest.fail("nothing is to be run"))
    assert main(["--list", "--only", "start"]) == 0
    assert "python -m benchmarks.start" in capsys.readouterr().out


def test_an_unknown_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["--repos", str(tmp_path / "none")])
