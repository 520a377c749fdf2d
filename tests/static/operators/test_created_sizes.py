"""`torch.ones(dim)` of an unknown dim: a vector if the function computes with dim, else of any rank."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

NORM = """
import torch
from shapecheck import reveal_shape
from torch import nn


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        {scale}
        self.g = nn.Parameter({made})

    def forward(self, x):
        reveal_shape(self.g)
        return x * self.g
"""
NUMBERS = ["self.scale = dim ** 0.5", "self.scale = dim ** -0.5", "self.rate = 1 / dim", "self.half = dim // 2"]
UNKNOWN = ["pass", "self.sizes = dim * 2", "self.sizes = dim + (1,)", "self.size = len(dim) ** 2"]


def shape_of(tmp_path: Path, scale: str, made: str) -> str:
    path = tmp_path / "norm.py"
    path.write_text(NORM.format(scale=scale, made=made))
    (found,) = check([path])
    return found.message


@pytest.mark.parametrize("made", ["torch.ones(dim)", "torch.randn(dim)", "torch.zeros(dim, requires_grad=True)"])
@pytest.mark.parametrize("scale", NUMBERS)
def test_a_number_is_the_only_size(tmp_path: Path, scale: str, made: str) -> None:
    assert "(dim,)" in shape_of(tmp_path, scale, made)


@pytest.mark.parametrize("scale", UNKNOWN)
def test_what_may_be_a_tuple_leaves_the_rank_open(tmp_path: Path, scale: str) -> None:
    assert "(...)" in shape_of(tmp_path, scale, "torch.ones(dim)")
