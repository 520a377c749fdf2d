"""A process that checks a file again after each edit holds the trees of few versions of it."""

from __future__ import annotations

import ast
import gc
import math
import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from shapecheck.diagnostics import DEFAULT_CHECKS
from shapecheck.project import garbage
from shapecheck.static.entry.checker import Checker
from shapecheck.static.entry.server import FindingsServer

T = TypeVar("T")

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


Process = Callable[[Callable[[Path], T], Path], T]


@pytest.fixture
def process() -> Iterator[Process[Any]]:
    """Calls a function in a new process: one that has run tests has millions of objects to go through."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        yield lambda function, path: pool.apply(function, (path,))


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


def _trees_after_edits(model: Path) -> list[int]:
    """How many trees more than at first there are after each edit."""
    garbage.WORTH_COLLECTING = _WORTH_COLLECTING
    gc.collect()
    text, before, counts = model.read_text(), _counts()[ast.Module], []
    for edit in range(_EDITS):
        model.write_text(f"{text}EDIT = {edit}\n")
        found = FindingsServer([str(model.parent)]).findings(str(model), frozenset(DEFAULT_CHECKS))
        assert [one.code for one in found] == ["shape-mismatch"]
        counts.append(_counts()[ast.Module] - before)
    return counts


def _nodes_around_a_checker(model: Path) -> list[Counter[type]]:
    """The nodes that there are before, during and after the life of a checker."""
    gc.collect()
    before = _counts()
    checker = Checker((), [model.parent])
    checker.findings_of(model)
    held = _counts()
    del checker
    gc.collect()
    return [before, held, _counts()]


def test_edits_of_a_large_file_do_not_pile_up(model: Path, process: Process[Any]) -> None:
    counts = process(_trees_after_edits, model)
    most = 1 + math.ceil(_WORTH_COLLECTING / model.stat().st_size)
    assert most < _EDITS / 2
    assert max(counts) <= most


def test_nothing_keeps_nodes_of_a_dropped_checker(model: Path, process: Process[Any]) -> None:
    before, held, after = process(_nodes_around_a_checker, model)
    assert all(held[kind] > before[kind] for kind in _KINDS)
    assert after == before
