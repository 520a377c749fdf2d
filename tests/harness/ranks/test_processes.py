"""Two real processes for each model: what is planted is found on its line, and the rest of the cases completes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shapecheck.cli import main
from tests.versions import since

MODELS = Path(__file__).with_name("models.py")
_PLANTED = re.compile(r"# planted: ([\w-]+)")
NAMES = re.findall(r"^class (\w+)", MODELS.read_text(), re.MULTILINE)
MESSAGES = {
    "Skips": "rank 0 waits in all_reduce of torch.float32 (BATCH, 4), which rank 1 does not call",
    "OtherShape": "rank 0 calls all_reduce of torch.float32 (BATCH, 4), "
    "but rank 1 calls all_reduce of torch.float32 (BATCH, 3)",
    "OtherDtype": "fc.weight: torch.float32 on rank 0, but torch.float64 on rank 1",
    "Forgotten": "up.weight: local sizes 4 + 4 = 8 in dimension 0, but the global size is 12",
}
LIMIT = "2400"
"""Seconds of a case. In a quarter of it, a process would give up a collective that another one never calls."""

pytestmark = since(2, 6, "there is no fully_shard and no public DTensor")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    output = tmp_path_factory.mktemp("ranks") / "report.json"
    options = ["--ranks", "2", "--check", "ranks", "--timeout", LIMIT, "--quiet", "--output", str(output)]
    CliRunner().invoke(main, ["run", str(MODELS), *options])
    found: dict[str, Any] = json.loads(output.read_text())
    return found


def planted(name: str) -> set[tuple[int, str]]:
    """The lines of a class with what is planted there."""
    lines = list(enumerate(MODELS.read_text().splitlines(), 1))
    first = next(number for number, line in lines if line.startswith(f"class {name}("))
    after = [number for number, line in lines if number > first and re.match(r"class |def |@", line)]
    of_class = lines[first - 1 : after[0] - 1 if after else None]
    return {(number, found[1]) for number, line in of_class if (found := _PLANTED.search(line))}


def case_named(name: str) -> str:
    return f"models:{name}"


def findings(report: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [one for one in report["diagnostics"] if one["case"].endswith(case_named(name))]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_planted_is_found_on_its_line(name: str, report: dict[str, Any]) -> None:
    assert {(one["line"], one["code"]) for one in findings(report, name)} == planted(name)


@pytest.mark.parametrize("name", MESSAGES)
def test_the_finding_is_one_line_that_names_the_ranks(name: str, report: dict[str, Any]) -> None:
    (one,) = findings(report, name)
    (case,) = (case for case in report["cases"] if case["name"].endswith(case_named(name)))
    assert one["message"] == MESSAGES[name].replace("BATCH", str(case["sizes"]["b"]))


def test_a_rank_that_dies_names_its_signal_and_the_call_of_the_other(report: dict[str, Any]) -> None:
    (one,) = findings(report, "Dies")
    death = r"rank 1 of 2 was killed by signal 6 \(SIGABRT\) here"
    assert re.match(rf"{death}(; rank 0 (waits in|last called) all_reduce of |$)", one["message"])


def test_the_report_has_local_and_global_shapes(report: dict[str, Any]) -> None:
    (case,) = (case for case in report["cases"] if case["name"].endswith(case_named("Divided")))
    by_name = {one["name"]: one for one in case["shards"]}
    assert by_name["up.weight"] == {
        "name": "up.weight",
        "whole": "torch.float32 (12, 8)",
        "local": ["torch.float32 (6, 8)", "torch.float32 (6, 8)"],
        "placements": "Shard(dim=0)",
    }
    batch = case["sizes"]["b"]
    assert by_name["up output 0"]["local"] == [f"torch.float32 ({batch}, 6)"] * 2
    assert by_name["down output 0"]["whole"] == f"torch.float32 ({batch}, 8)"
