"""batch-dependence is reported at the operator that mixes the rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine
from shapecheck.harness.run_options import RunOptions

HEAD = """\
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Inner(nn.Module):
    def forward(self, x):
        return x.softmax(0)  # inner


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.lstm = nn.LSTM(4, 4)
        self.inner = Inner()

    def forward(self, x: Float[Tensor, "b t 4"]) -> Float[Tensor, "b t 4"]:  # forward
"""

PROGRAMS = {
    "an operator over the batch": "x = self.fc(x).relu()\nx = x.softmax(0)  # here\nreturn self.fc(x)",
    "a mean that goes back in": "mean = x.mean(0, keepdim=True)  # here\nreturn self.fc(x - mean)",
    "a layer": "states, _ = self.lstm(x)  # here\nreturn self.fc(states)",
    "a module of the program": "return self.fc(self.inner(x))",
    "in place": "x = self.fc(x)\nx = x.sub_(x.sum(0))  # here\nreturn x * 2",
    "after a transpose": "x = x.mT.transpose(0, 2)\nx = x / x.sum(2, True)  # here\nreturn x.transpose(0, 2).mT",
    "another way for one": "if len(x) == 1:\n    return self.fc(x)\nreturn x.softmax(0)",
}
LINES = {"a module of the program": "# inner", "another way for one": "# forward"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_line_that_mixes_rows(name: str, tmp_path: Path) -> None:
    body = "".join(f"        {line}\n" for line in PROGRAMS[name].splitlines())
    file = tmp_path / f"mixing_{list(PROGRAMS).index(name)}.py"
    file.write_text(HEAD + body)
    result = examine(Target(file, file.stem, tmp_path), f"{file.stem}:Net", RunOptions(checks=("batch",)))
    mark = LINES.get(name, "# here")
    line = next(number for number, text in enumerate(file.read_text().splitlines(), start=1) if mark in text)
    found = [(one.code, one.line) for one in result.diagnostics if one.code == "batch-dependence"]
    assert found == [("batch-dependence", line)]
