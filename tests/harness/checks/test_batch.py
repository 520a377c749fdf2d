"""The remark about values of a row that differ bit by bit, which is a figure and not a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.planted import examined_alone

HEAD = """\
from jaxtyping import Float
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:
"""
REMARKS = {
    "return 2 * x": "bitwise: 0 of 16 values differ",
    "return (x - x) / (x - x)": "bitwise: 0 of 16 values differ",
    "return x.exp() * (1.0000002 if len(x) > 1 else 1)": "bitwise: 16 of 16 values differ",
}


@pytest.mark.parametrize("body", REMARKS)
def test_values_that_are_not_the_same_are_counted(body: str, tmp_path: Path) -> None:
    result = examined_alone(tmp_path, f"{HEAD}        {body}\n", "batch")
    assert [one.detail for one in result.checks if one.name == "batch"] == [REMARKS[body]]
    assert not result.diagnostics


PADDED = """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 1)

    def forward(self, input_ids, attention_mask):
        return (self.embed(input_ids)[..., 0] + 0.1 * POSITIONS).softmax(1)
"""
DIFFERS = "row 1 of a batch of 2 differs if attention_mask excludes positions of row 0 alone"
POSITIONS = {"attention_mask.cumsum(1)": [], "attention_mask.cumsum(0)": [DIFFERS], "attention_mask[:1]": [DIFFERS]}


@pytest.mark.parametrize("positions", POSITIONS)
def test_the_mask_of_one_row_leaves_the_others_alone(positions: str, tmp_path: Path) -> None:
    result = examined_alone(tmp_path, PADDED.replace("POSITIONS", positions), "batch")
    assert [one.message.partition(":")[0] for one in result.diagnostics] == POSITIONS[positions]
