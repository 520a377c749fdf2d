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
