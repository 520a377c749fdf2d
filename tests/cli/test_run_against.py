"""`shapecheck run --against`: changes since the report of an earlier run."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import main

NET = """
from jaxtyping import Float
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        return self.fc(CALL)
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", "net.py", "--check", "contract", *arguments])


def test_a_report_is_compared_with_the_one_that_it_replaces() -> None:
    Path("net.py").write_text(NET.replace("CALL", "x"))
    assert run("--output", "report.json").exit_code == 0
    Path("net.py").write_text(NET.replace("CALL", "x.double()"))
    after = run("--against", "report.json", "--output", "report.json", "--output", "new.md")
    assert after.exit_code == 1
    assert "since the earlier report: 1 new finding, 0 fixed, 0 known, 1 case with another outcome" in after.stdout
    assert "  net:Net: passed => failed" in after.stdout
    assert "### shapecheck: 1 new finding" in Path("new.md").read_text()
    again = run("--against", "report.json", "--output", "new.md")
    assert "since the earlier report: 0 new findings, 0 fixed, 1 known, 0 cases" in again.stdout
    assert "### shapecheck: no new findings" in Path("new.md").read_text()


def test_a_report_that_cannot_be_read_is_told_before_anything_is_run() -> None:
    Path("net.py").write_text("raise SystemExit\n" + NET)
    result = run("--against", "missing.json")
    assert result.exit_code == 2
    assert result.stderr.strip().endswith("missing.json: cannot read: No such file or directory")
    assert not result.stdout
