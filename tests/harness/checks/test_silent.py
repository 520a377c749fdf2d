"""16-bit operands in a model of float32 alone, and a batch of one that a squeeze removes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.planted import examined_alone

MODEL = """\
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)
        {stored}

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:
        return {result}
"""
RESULTS = [
    ("pass", "x + self.fc(x)", []),
    ("pass", "x + self.fc(x).half()", ["precision-leak"]),
    ("pass", "x.bfloat16() * self.fc(x)", ["precision-leak"]),
    ("pass", "self.fc(x).half().float() + x", []),
    ("self.register_buffer('scale', torch.ones(8, dtype=torch.float16))", "self.fc(x) * self.scale", []),
]


@pytest.mark.parametrize(("stored", "result", "codes"), RESULTS)
def test_16_bit_operands(stored: str, result: str, codes: list[str], tmp_path: Path) -> None:
    found = examined_alone(tmp_path, MODEL.format(stored=stored, result=result), "silent").diagnostics
    assert [one.code for one in found] == codes


SQUEEZED = [
    ("self.fc(x).squeeze()", ["squeeze() removes the dimension of a batch of one, and no other"]),
    ("self.fc(x).T.squeeze().T", ["squeeze() removes the dimension of a batch of one, and no other"]),
    ("self.fc(x).squeeze(1)", []),
    ("self.fc(x)[:, :, None].squeeze()", ["squeeze() also removes the batch dimension; use squeeze(2)"]),
    ("x + self.fc(x)[0].squeeze()", []),
]


@pytest.mark.parametrize(("result", "messages"), SQUEEZED)
def test_squeezes_that_remove_the_batch(result: str, messages: list[str], tmp_path: Path) -> None:
    found = examined_alone(tmp_path, MODEL.format(stored="pass", result=result), "silent").diagnostics
    assert [one.message for one in found] == messages
