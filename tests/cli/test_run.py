"""`shapecheck run` on programs that misbehave: one line each, and nothing lost of the others."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run_programs import PROGRAMS, invoke, posix, run, write

DIAGNOSTICS = {
    "raises": ("failed-import", 6, "cannot import: ValueError: not today"),
    "needs": ("failed-import", 6, "cannot import: ModuleNotFoundError: No module named 'no_such_package'"),
    "exits": ("failed-import", 6, "cannot import: calls sys.exit(0)"),
    "leaves": ("failed-import", 1, "import exited with code 0"),
    "fills": ("failed-import", 6, "cannot import: allocates 3.6 TiB, more than the memory available"),
    "hangs": ("failed-import", 6, "import exceeded the time limit of 4 s; raise --timeout"),
    "broken": ("syntax-error", 6, "cannot parse: "),
    "exits_in_forward": ("failed-run", 13, "calls sys.exit(0)"),
    "fills_in_forward": ("ended-run", 7, "needs more than the "),
    "hangs_in_forward": ("ended-run", 13, "exceeded the time limit of 4 s here"),
    "dies_in_forward": ("ended-run", 13, "was killed by signal 11 (SIGSEGV) here"),
    "contradicts": ("shape-mismatch", 9, "expected 3 dimensions"),
    "loads": ("checkpoint-mismatch", None, "expected fc.weight of shape (4, 8), got (3, 3)"),
}
OUTCOMES = {
    "good": "passed",
    "exits_in_forward": "failed",
    "fills_in_forward": "ended",
    "dies_in_forward": "ended",
    "contradicts": "failed",
    "loads": "failed",
    "unbuilt": "unbuilt",
    "reads": "unbuilt",
}

HANGING = ("hangs", "hangs_in_forward")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    write(folder, *PROGRAMS)
    return folder


@pytest.fixture(scope="module")
def hanging(folder: Path) -> Mapping[str, Any]:
    """The report of the programs that hang; the others have all the time that a busy machine may take."""
    files = [f"{name}.py" for name in HANGING]
    with pytest.MonkeyPatch.context() as patch:
        result = invoke(folder, patch, *files, "--check", "sweep", "--timeout", "4", "--format", "json")
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    """One run of all other programs."""
    reports = ("--output", "report.json", "--output", "report.xml")
    return run(folder, ".", "--check", "sweep", "--exclude", "hangs*", "--verbose", *reports)


@pytest.fixture(scope="module")
def report(folder: Path, done: subprocess.CompletedProcess[str]) -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return found


@posix
@pytest.mark.parametrize("name", sorted(DIAGNOSTICS))
def test_what_goes_wrong_is_one_finding_at_its_line(name: str, request: pytest.FixtureRequest) -> None:
    source: Mapping[str, Any] = request.getfixturevalue("hanging" if name in HANGING else "report")
    found = [one for one in source["diagnostics"] if one["path"] == f"{name}.py"]
    code, line, words = DIAGNOSTICS[name]
    assert [one["code"] for one in found] == [code]
    assert words in found[0]["message"]
    assert "\n" not in found[0]["message"]
    assert line in (None, found[0]["line"])


@posix
def test_the_other_cases_are_not_lost(report: Mapping[str, Any], hanging: Mapping[str, Any]) -> None:
    assert _outcomes(report) == OUTCOMES
    assert list(_outcomes(report)) == sorted(OUTCOMES)
    assert _outcomes(hanging) == {"hangs_in_forward": "ended"}


def _outcomes(report: Mapping[str, Any]) -> dict[str, str]:
    return {case["name"].removesuffix(":Net"): case["outcome"] for case in report["cases"]}


@posix
def test_what_could_not_be_imported_makes_the_exit_code_2(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 2
    assert "Traceback" not in done.stdout + done.stderr


@posix
def test_prints_do_not_mix_with_the_report(done: subprocess.CompletedProcess[str]) -> None:
    before, _, after = done.stdout.partition("printed by good:Net:")
    assert "it was run" in after
    assert "it was run" not in before


@posix
def test_the_report_is_written_in_each_form(folder: Path, done: subprocess.CompletedProcess[str]) -> None:
    suite = ET.parse(folder / "report.xml").getroot()
    assert len(suite.findall(".//testcase")) >= len(OUTCOMES)


def test_the_report_says_how_to_repeat_the_run(report: Mapping[str, Any]) -> None:
    environment = report["environment"]
    assert environment["command"][:3] == ["shapecheck", "run", "."]
    assert {"device", "seed", "threads", "jobs", "python", "versions", "cpu", "flags", "variables"} <= set(environment)
    assert environment["versions"]["torch"]


@posix
def test_a_script_without_models_is_not_imported(report: Mapping[str, Any]) -> None:
    assert not [one for one in report["diagnostics"] if one["path"] == "plain.py"]
