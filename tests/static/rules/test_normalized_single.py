"""normalized-axis: softmax over the only output of a layer."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch

from .programs import HEAD, place, reported

PROGRAM = """
class Net(nn.Module):
    def __init__(self, features, classes=1):
        super().__init__()
        self.one = nn.Linear(features, 1)
        self.single = nn.Linear(in_features=features, out_features=1)
        self.conv = nn.Conv1d(features, 1, 3)
        self.head = nn.Linear(features, classes)
        self.softmax = nn.Softmax(dim=1)
        self.net = nn.Sequential(nn.Linear(features, 8), nn.ReLU(), nn.Linear(8, 1), nn.Softmax(dim=-1))

    def forward(self, x: Float[Tensor, "b features"], steps: Float[Tensor, "b t features"]):
        return {result}  # HERE
"""
FOUND = {
    "torch.softmax(self.one(x), dim=1)": "softmax over dimension 1 of (b, 1), the only output of a layer, always "
    "returns 1",
    "self.softmax(self.single(x))": "Softmax over dimension 1 of (b, 1)",
    "F.log_softmax(self.one(x), dim=-1)": "the only output of a layer, always returns 0",
    "(F.softmax(torch.tanh(self.one(steps)) / 0.5, dim=-1) * steps).sum(1)": "softmax over dimension -1 of (b, t, 1)",
    "self.conv(steps.mT).softmax(dim=1)": "softmax over dimension 1 of",
    "self.net(x)": "Softmax over dimension -1 of (b, 1)",
}
QUIET = [
    "torch.softmax(self.one(steps), dim=1)",
    "torch.sigmoid(self.one(x))",
    "self.conv(steps.mT).softmax(dim=2)",
    "F.softmax(self.one(steps).squeeze(-1), dim=-1)",
]
NOT_WRITTEN = [
    "self.one(steps).mean().softmax(0)",
    "self.head(x).softmax(1)",
    "x[:, :1].softmax(1)",
    "x.mean(1, keepdim=True).softmax(1)",
]


@pytest.mark.parametrize("result", FOUND)
def test_found(result: str, tmp_path: Path) -> None:
    source = PROGRAM.format(result=result)
    codes = [(line, code) for line, code, _ in reported(tmp_path, source)]
    messages = [message for *_, message in reported(tmp_path, source)]
    assert [code for _, code in codes] == ["normalized-axis"]
    assert FOUND[result] in messages[0]
    assert result == "self.net(x)" or codes[0][0] == place(source)


@pytest.mark.parametrize("result", [*QUIET, *NOT_WRITTEN])
def test_quiet(result: str, tmp_path: Path) -> None:
    source = PROGRAM.format(result=result).replace("        self.net = ", "        # ")
    assert reported(tmp_path, source) == []


def test_a_dimension_that_does_not_exist_is_left_to_torch(tmp_path: Path) -> None:
    source = PROGRAM.format(result="self.one(x)[0].softmax(dim=1)")
    assert [code for _, code, _ in reported(tmp_path, source)] == ["shape-mismatch"]


@pytest.mark.parametrize("result", [*FOUND, *QUIET])
def test_the_result_does_not_depend_on_the_weights(result: str) -> None:
    names: dict[str, object] = {}
    exec(HEAD + textwrap.dedent(PROGRAM.format(result=result)), names)
    build = names["Net"]
    assert callable(build)
    x, steps = torch.randn(3, 6), torch.randn(3, 5, 6)
    one, other = build(6)(x, steps), build(6)(x, steps)
    assert torch.allclose(one, other) is (result in FOUND)
