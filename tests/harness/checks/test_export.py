"""The check that is only run by name: sizes that torch.export fixes, at the line that needs their number."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.checks.table import all_checks
from shapecheck.harness.results import CaseResult, Status
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
        self.lstm = nn.LSTM(8, 8, batch_first=True)

    def forward(self, x: Float[Tensor, "b t 8"]) -> Float[Tensor, "b 8"]:
"""
FIXED = {
    "a loop": "return sum(self.fc(x[:, i]) for i in range(x.shape[1]))",
    "unbind": "return torch.stack([self.fc(one) for one in x.unbind(1)]).sum(0)",
    "split": "return torch.cat(self.fc(x).split(1, 1), 1).sum(1)",
    "chunk": "return torch.cat(self.fc(x).chunk(x.shape[1], 1), 1).sum(1)",
    "rows": "return torch.stack([self.fc(row) for row in x.transpose(0, 1)]).sum(0)",
    "a number": "return self.fc(x).sum(1) / torch.tensor(float(int(x.shape[1])))",
}
"""What needs the number of steps in Python, or makes a tensor of each."""
DYNAMIC = [
    "return self.fc(x).mean(1)",
    "return self.fc(x.reshape(-1, 8)).view(x.shape[0], x.shape[1], 8).amax(1)",
    "return self.fc(x[:, : x.shape[1] // 2 + 1]).sum(1) / x.shape[1]",
    "return self.fc(x + torch.arange(x.shape[1], device=x.device)[:, None]).sum(1)",
]
OF_TORCH = ["return self.lstm(x)[0][:, -1]"]
"""Layers that torch itself exports for one size."""

pytestmark = since(2, 8, "older versions do not record the line")


def warnings(result: CaseResult) -> list[Diagnostic]:
    assert {one.outcome for one in result.checks} <= {Status.PASSED, Status.FAILED}, result.checks
    return [one for one in result.diagnostics if one.severity is not Severity.NOTE]


@pytest.mark.parametrize("name", FIXED)
def test_a_size_that_python_needs_is_fixed_on_its_line(name: str, tmp_path: Path) -> None:
    (found,) = warnings(examined_alone(tmp_path, f"{HEAD}        {FIXED[name]}\n", "export"))
    assert (found.code, found.line) == ("hard-coded-size", len(HEAD.splitlines()) + 1)
    assert found.message.startswith("torch.export fixes t to ")


@pytest.mark.parametrize("body", DYNAMIC)
def test_other_programs_keep_their_axes_dynamic(body: str, tmp_path: Path) -> None:
    assert not warnings(examined_alone(tmp_path, f"{HEAD}        {body}\n", "export"))


@pytest.mark.parametrize("body", OF_TORCH)
def test_a_size_that_torch_fixes_is_a_remark(body: str, tmp_path: Path) -> None:
    result = examined_alone(tmp_path, f"{HEAD}        {body}\n", "export")
    assert not warnings(result)
    assert "torch fixes t to " in result.checks[-1].detail


def test_it_runs_only_by_name() -> None:
    (check,) = (one for one in all_checks() if one.name == "export")
    assert not check.wanted(RunOptions())
    assert check.wanted(RunOptions(checks=("export",)))
