"""The check that is only run by name: sizes for which a model is compiled again, at the line of the guard."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import Severity
from shapecheck.harness.checks.table import all_checks
from shapecheck.harness.results import CaseResult
from shapecheck.harness.run_options import RunOptions
from tests.harness.planted import examined_alone
from tests.versions import since

HEAD = """\
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x: Float[Tensor, "b t 8"]) -> Float[Tensor, "b 8"]:
"""
AT_THE_LINE = [
    "return self.fc(x).sum(1) if x.shape[1] < 6 else self.fc(x).mean(1)",
    "return self.fc(x if x.shape[1] <= 7 else x[:, :7]).sum(1)",
]
AT_FORWARD = ["return sum(self.fc(x[:, i]) for i in range(x.shape[1]))"]
"""Torch names no line for these."""
ONCE = [
    "return self.fc(x).mean(1)",
    "return self.fc(x / x.shape[1]).sum(1)",
    "return self.fc(x if x.shape[2] < 9 else -x).sum(1)",
    "return self.fc(x.reshape(-1, 8)).view(*x.shape).amax(1)",
]

pytestmark = since(2, 8, "older versions state guards differently")


def found(result: CaseResult) -> list[tuple[int, str]]:
    assert result.checks[-1].detail == "graph breaks: 0"
    return [(one.line, one.code) for one in result.diagnostics if one.severity is not Severity.NOTE]


@pytest.mark.parametrize("body", AT_THE_LINE)
def test_a_branch_on_a_size_is_reported_on_its_line(body: str, tmp_path: Path) -> None:
    assert found(examined_alone(tmp_path, f"{HEAD}        {body}\n", "recompiles")) == [
        (len(HEAD.splitlines()) + 1, "recompilation")
    ]


@pytest.mark.parametrize("body", AT_FORWARD)
def test_a_loop_is_reported_at_forward(body: str, tmp_path: Path) -> None:
    assert found(examined_alone(tmp_path, f"{HEAD}        {body}\n", "recompiles")) == [
        (len(HEAD.splitlines()), "recompilation")
    ]


@pytest.mark.parametrize("body", ONCE)
def test_what_is_compiled_once_is_not_reported(body: str, tmp_path: Path) -> None:
    assert not found(examined_alone(tmp_path, f"{HEAD}        {body}\n", "recompiles"))


def test_it_runs_only_by_name() -> None:
    (check,) = (one for one in all_checks() if one.name == "recompiles")
    assert not check.wanted(RunOptions())
    assert check.wanted(RunOptions(checks=("recompiles",)))
