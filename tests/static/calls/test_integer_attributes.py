"""Sizes of a configuration, of which other code in the file shows that they are integers."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import CODES

MODEL = """
import torch
import torch.nn.functional as F
from shapecheck import reveal_shape
from torch import nn


class Norm(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(sizes))

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight)


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norm = Norm(config.width)
        self.scale = nn.Parameter(torch.ones(config.width))
        self.layer_norm = nn.LayerNorm(2 * config.width)
        self.width = config.width
        {}

    def forward(self, x):
        b, t, c = x.shape
        reveal_shape({})
"""
LINEAR = "self.qkv = nn.Linear(config.width, 3 * config.width)"
KNOWN = {
    "a weight": ("self.scale", "torch.float32 (width,)"),
    "a weight of another module": ("self.norm.weight", "torch.float32 (width,)"),
    "parts of a layer's result": ("self.qkv(x).split(self.width, dim=2)[1]", "torch.float32 (b, t, width)"),
    "a layer": ("self.layer_norm.weight", "torch.float32 (2*width,)"),
}


def revealed(tmp_path: Path, source: str) -> str:
    path = tmp_path / "model.py"
    path.write_text(source)
    (found,) = check([path], codes=CODES)
    return found.message


@pytest.mark.parametrize("case", KNOWN)
def test_a_layer_with_the_size_shows_that_it_is_an_integer(case: str, tmp_path: Path) -> None:
    expression, shape = KNOWN[case]
    assert revealed(tmp_path, MODEL.format(LINEAR, expression)) == shape


def test_without_such_a_use_the_size_may_be_a_tuple(tmp_path: Path) -> None:
    assert revealed(tmp_path, MODEL.format("pass", "self.scale")) == "torch.float32 (...)"


def test_layer_norm_keeps_the_shape_whatever_it_normalizes(tmp_path: Path) -> None:
    assert revealed(tmp_path, MODEL.format("pass", "self.norm(x)")) == "(b, t, c)"
