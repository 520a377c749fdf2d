from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import main
from shapecheck.harness.results import RunReport
from shapecheck.harness.serialization import as_json
from tests.harness.show import samples


@pytest.fixture(autouse=True)
def _saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two saved reports: on a GPU, and on the CPU with one check that fails there."""
    monkeypatch.chdir(tmp_path)
    gpt = samples.gpt()
    assert gpt.cost is not None
    checks = tuple(
        replace(check, outcome=samples.FAILED, detail="nan") if check.name == "backward" else check
        for check in gpt.checks
    )
    on_cpu = replace(gpt, device="cpu", cost=replace(gpt.cost, seconds=0.5), checks=checks)
    Path("a.json").write_text(as_json(RunReport(samples.ENVIRONMENT, (gpt, samples.unet()))))
    Path("b.json").write_text(as_json(RunReport({**samples.ENVIRONMENT, "device": "cpu"}, (on_cpu,))))


def diff(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["diff", *arguments])


def test_text() -> None:
    result = diff("a.json", "b.json")
    assert result.exit_code == 1
    assert result.stdout == (
        f"{samples.GPT_CASE}\n"
        "  check: backward: passed => failed: nan\n"
        f"{samples.UNET_CASE}\n"
        "  case: only in BEFORE: failed\n"
        "\n"
        "expected, because the environments differ:\n"
        "  the whole run\n"
        "    environment: device: cuda => cpu\n"
        f"  {samples.GPT_CASE}\n"
        "    figure: time: 1.23 ms => 500 ms (407 times)\n"
        "\n"
        "Found 2 differences (2 expected)\n"
    )


def test_quiet_leaves_out_what_is_expected() -> None:
    shown = diff("-q", "a.json", "b.json").stdout
    assert "backward" in shown
    assert "expected" not in shown
    assert "Found" not in shown
    assert diff("-q", "a.json", "a.json").stdout == ""


def test_json() -> None:
    result = diff("a.json", "b.json", "--format", "json")
    said = json.loads(result.stdout)
    assert (result.exit_code, said["summary"]) == (1, {"important": 2, "expected": 2})
    assert said["differences"][1] == {
        "kind": "check", "case": samples.GPT_CASE, "what": "backward", "before": "passed", "after": "failed: nan",
        "expected": False,
    }  # fmt: skip


def test_the_same_run_twice() -> None:
    result = diff("a.json", "a.json")
    assert (result.exit_code, result.stdout) == (0, "No unexpected differences\n")


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"3", b"\xff\xfe", b'{"diagnostics": []}', b"[" * 100_000,
        b'{"diagnostics": [], "cases": [{"name": 3}], "environment": {}, "seconds": 1}',
        b'{"diagnostics": [], "cases": [], "environment": 3, "seconds": 1}',
        b'{"diagnostics": [], "cases": [], "environment": {}, "seconds": "x"}',
    ],
)  # fmt: skip
def test_what_is_no_report_is_one_line(content: bytes) -> None:
    Path("c.json").write_bytes(content)
    result = diff("a.json", "c.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("shapecheck: c.json: expected a report of `shapecheck run --format json`: ")
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_one_line() -> None:
    result = diff("a.json", "none.json")
    assert result.exit_code == 2
    assert result.stderr == "shapecheck: none.json: cannot read: No such file or directory\n"


def test_the_time_may_differ_by_what_is_said(tmp_path: Path) -> None:
    gpt = samples.gpt()
    assert gpt.cost is not None
    slow = replace(gpt, cost=replace(gpt.cost, seconds=0.0025))
    Path("slow.json").write_text(as_json(RunReport(samples.ENVIRONMENT, (slow, samples.unet()))))
    assert diff("a.json", "slow.json").exit_code == 1
    assert diff("a.json", "slow.json", "--time-tolerance", "1.5").exit_code == 0


def test_times_can_be_left_out() -> None:
    gpt = samples.gpt()
    assert gpt.cost is not None
    slow = replace(gpt, cost=replace(gpt.cost, seconds=1e9, mfu=0.0))
    Path("slow.json").write_text(as_json(RunReport(samples.ENVIRONMENT, (slow, samples.unet()))))
    assert diff("a.json", "slow.json", "--time-tolerance", "inf").exit_code == 0
