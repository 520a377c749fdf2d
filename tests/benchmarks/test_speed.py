"""`benchmarks.speed` on a tiny package, and the figures over several packages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import peaks
from benchmarks.evaluations import Evaluations
from benchmarks.measure import Run
from benchmarks.speed import Measured, main, ratios_of
from tests.benchmarks.test_primer import PINS

SOURCE = "x = 1\ny = x\n"
ALLOCATE = (
    "import sys, time; data = bytearray(int(sys.argv[1])); data[::4096] = b'x' * len(data[::4096]); time.sleep(3)"
)


@pytest.fixture
def argv(tmp_path: Path) -> list[str]:
    """The arguments for the package `tiny`, which is there."""
    (tmp_path / "pins.toml").write_text(PINS)
    source = tmp_path / "packages" / "tiny-1.2-00000000"
    source.mkdir(parents=True)
    (source / "model.py").write_text(SOURCE)
    return [str(tmp_path / "packages"), "--only", "tiny"]


def test_a_package_has_the_times_of_both_and_its_evaluations(
    argv: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "speed.json"
    assert main([*argv, "--json", str(report)], tmp_path / "pins.toml") == 0
    output = capsys.readouterr().out
    row = next(line.split() for line in output.splitlines() if line.startswith("tiny"))
    (one,) = json.loads(report.read_text())["packages"]
    assert row[:4] == ["tiny", "1.2", "1", "2"]
    assert row[-3:] == ["4", "2.0", "0.0"]
    assert row[6] == f"{one['check']['seconds'] / one['pyrefly']['seconds']:.2f}"
    assert one["check"]["peak_mb"] > 1
    assert one["pyrefly"]["peak_mb"] > 1
    assert "check of one small file relative to Pyrefly" in output


def test_evaluations_need_no_rival_to_run(argv: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*argv, "--part", "evaluations"], tmp_path / "pins.toml") == 0
    output = capsys.readouterr().out
    assert "evaluations: 4, 2.0 per line, 0.0% of them again" in output
    assert "relative to Pyrefly" not in output


def measured(name: str, ours: float, rival: float, lines: int, evaluations: int, peak: float = 50) -> Measured:
    counts = Evaluations(evaluations, evaluations // 2)
    return Measured(name, "1", 1, lines, Run(ours, ours, peak, 0), Run(rival, rival, 9, 0), counts)


def test_the_figures_over_all_packages() -> None:
    found = [
        measured("small", 1, 1, 100, 400, peak=70),
        measured("large", 40, 10, 1_000_000, 9_000_000, peak=900),
    ]
    assert {
        one.what.removeprefix("check of primer packages relative to Pyrefly, "): one.value for one in ratios_of(found)
    } == {
        "geometric mean of 2": pytest.approx(2),
        "sum of times": pytest.approx(41 / 11),
        "worst (large)": 4,
        "peak MB of check, packages up to 650,000 lines": 70,
        "evaluations per line, worst (large)": 9,
    }


def test_the_memory_of_the_processes_of_a_command_is_their_sum(tmp_path: Path) -> None:
    start = "import subprocess, sys; [p.wait() for p in [subprocess.Popen(sys.argv[1:]) for _ in range(2)]]"
    size = 100_000_000
    one = [sys.executable, "-c", ALLOCATE, str(size)]
    other = subprocess.Popen([sys.executable, "-c", ALLOCATE, str(3 * size)])
    try:
        found = peaks.run([sys.executable, "-c", start, *one], tmp_path)
    finally:
        other.kill()
        other.wait()
    assert 2 * size / 1e6 < found.peak_mb < 3 * size / 1e6
