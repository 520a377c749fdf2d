"""A process that checks a file again after each edit holds the trees of few versions of it."""

from __future__ import annotations

import ast
import gc
import math
from collections import Counter
from pathlib import Path

import pytest

from shapecheck.diagnostics import DEFAULT_CHECKS
from shapecheck.project import garbage
from shapecheck.static.entry.checker import Checker
from shapecheck.static.entry.server import FindingsServer

_BLOCK = """
class Block{n}(nn.Module):
    def __init__(self, width: int = 64, heads: int = 4) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.heads = heads
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
        self.qkv = nn.Linear(width, 3 * width)

    @property
    def width(self):
        return self.qkv.in_features

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        b, t, c = x.shape
        if c != self.width:
            raise ValueError(c)
        q, k, v = self.qkv(self.norm(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        weights = q @ k.transpose(-2, -1) / 8
        if mask is not None:
            weights = weights + mask
        for one in self.blocks:
            x = one(x)
        return x + (weights.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c)

"""
_VARIANT = """

@register
def make{n}(**kwargs):
    settings = {"width": 64, "heads": 4, "drop": 0.1 * {n}, "name": "make{n}", "sizes": [1, 2, 3, {n}], **kwargs}
    def build(width):
        return Block0(width)
    return build(settings["width"])
"""
_BLOCKS, _VARIANTS = 6, 200
"""Together as long as a file of timm with one family of models."""
_HEAD = """import torch
from torch import nn

def register(function):
    return function
"""
_FAULT = "torch.zeros(2) + torch.zeros(3)\n"
_EDITS = 12
_WORTH_COLLECTING = 200_000
"""Characters, fewer than in the package: a collection is reached after fewer edits."""
_KINDS = {ast.Module, ast.FunctionDef, ast.ClassDef, ast.arguments, ast.Compare}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    parts = [_BLOCK.replace("{n}", str(n)) for n in range(_BLOCKS)]
    parts += [_VARIANT.replace("{n}", str(n)) for n in range(_VARIANTS)]
    path.write_text("".join([_HEAD, *parts, _FAULT]))
    assert path.stat().st_size > 50_000
    return path


def _counts() -> Counter[type]:
    """How many nodes of each kind there are, in garbage too."""
    return Counter(kind for one in gc.get_objects() if (kind := type(one)) in _KINDS)


def test_edits_of_a_large_file_do_not_pile_up(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "WORTH_COLLECTING", _WORTH_COLLECTING)
    gc.collect()
    text, before, counts = model.read_text(), _counts()[ast.Module], []
    for edit in range(_EDITS):
        model.write_text(f"{text}EDIT = {edit}\n")
        found = FindingsServer([str(model.parent)]).findings(str(model), frozenset(DEFAULT_CHECKS))
        assert [one.code for one in found] == ["shape-mismatch"]
        counts.append(_counts()[ast.Module] - before)
    most = 1 + math.ceil(_WORTH_COLLECTING / len(text))
    assert most < _EDITS / 2
    assert max(counts) <= most


def test_nothing_keeps_nodes_of_a_dropped_checker(model: Path) -> None:
    gc.collect()
    before = _counts()
    checker = Checker((), [model.parent])
    checker.findings_of(model)
    held = _counts()
    assert all(held[kind] > before[kind] for kind in _KINDS)
    del checker
    gc.collect()
    assert _counts() == before
