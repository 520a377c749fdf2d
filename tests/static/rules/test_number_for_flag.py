"""Layers that get a probability for a flag, which torch accepts."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from .programs import place, reported

PROGRAM = """
class Net(nn.Module):
    def __init__(self, d, config, bias, dropout=0.5, use_dropout=True):
        super().__init__()
        self.drop_prob = config.drop_prob
        self.layer = {layer}  # HERE
"""
FOUND = {
    "nn.Linear(d, 3, 0.5)": "nn.Linear: expected bias to be a bool, got 0.5",
    "nn.Linear(d, 3, dropout)": "nn.Linear: expected bias to be a bool, got ",
    "nn.Linear(d, 3, self.drop_prob)": "nn.Linear: expected bias to be a bool, got self.drop_prob",
    "nn.GRU(d, d, 2, dropout)": "nn.GRU: expected bias to be a bool, got ",
    "nn.Conv2d(d, d, 3, 1, 1, 1, 1, 0.1)": "nn.Conv2d: expected bias to be a bool, got 0.1",
    "nn.GRUCell(d, d, 0.5)": "nn.GRUCell: expected bias to be a bool, got 0.5",
    "nn.LayerNorm(d, 1e-5, 0.1)": "nn.LayerNorm: expected elementwise_affine to be a bool, got 0.1",
}
QUIET = [
    "nn.Linear(d, 3, True)",
    "nn.Linear(d, 3, bias)",
    "nn.Linear(d, 3, use_dropout)",
    "nn.Linear(d, 3, 1)",
    "nn.GRU(d, d, 2, True, False, dropout)",
    "nn.GRU(d, d, 2, dropout=dropout)",
    "nn.MultiheadAttention(d, 1, dropout)",
    "nn.LayerNorm(d, 1e-5)",
]


@pytest.mark.parametrize("layer", FOUND)
def test_found(layer: str, tmp_path: Path) -> None:
    source = PROGRAM.format(layer=layer)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "wrong-call")
    assert message.startswith(FOUND[layer])


@pytest.mark.parametrize("layer", QUIET)
def test_quiet(layer: str, tmp_path: Path) -> None:
    assert reported(tmp_path, PROGRAM.format(layer=layer)) == []


def test_torch_takes_a_probability_for_true() -> None:
    layer = nn.Linear(4, 3, 0.5)  # type: ignore[arg-type]
    assert torch.equal(layer(torch.zeros(4)), layer.bias)
