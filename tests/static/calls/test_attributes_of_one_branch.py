"""Attributes that only one branch of a constructor sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """
import torch
from torch import nn


class Net(nn.Module):
{shared}
    def __init__(self, fused: bool):
        super().__init__()
        self.fused = fused
        if not fused:
            self.register_buffer("mask", torch.zeros(5, 4))

    def forward(self, x: torch.Tensor):
        {use}
        return self.mask @ torch.zeros(3, 2)
"""
USES = {
    "without a test": ("", "pass", True),
    "after a test of the flag": ("", "assert not self.fused", True),
    "beside an attribute of the class": ("    mask = None\n", "pass", False),
    "replaced": ("", "self.mask = x", False),
    "not set": ("", "self.mask = getattr(self, 'other', x)", False),
}


@pytest.mark.parametrize("case", USES)
def test_an_attribute_has_the_value_of_the_branch(case: str, tmp_path: Path) -> None:
    shared, use, is_known = USES[case]
    path = tmp_path / "net.py"
    path.write_text(HEAD.format(shared=shared, use=use))
    found = [one.code for one in check([path])]
    assert ("shape-mismatch" in found) is is_known


@pytest.mark.parametrize("read", ["getattr(self, 'mask', x)", "self.mask if hasattr(self, 'mask') else x"])
def test_an_attribute_may_be_absent(read: str, tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    text = HEAD.format(shared="", use=f"mask = {read}").replace("return self.mask @", "return mask @")
    path.write_text(text)
    assert "shape-mismatch" not in [one.code for one in check([path])]


def test_a_part_of_a_mask_broadcasts_to_its_own_size(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text("""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.masked:
            self.register_buffer("mask", torch.ones(config.most, config.most).view(1, config.most, config.most))

    def forward(self, x):
        b, t, d = x.shape
        scores = x @ x.transpose(1, 2)
        reveal_shape(scores.masked_fill(self.mask[:, :t, :t] == 0, 0.0))
        return x
""")
    assert [one.message for one in check([path])] == ["(b, t, t)"]
