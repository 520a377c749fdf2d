"""`shapecheck annotate`: what callers show of an argument, beside arguments that are no tensors."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck.cli import main

PROGRAM = """
from typing import Optional

from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.key = nn.Linear(width, width)

    def forward(self, words: Tensor, context: Tensor, store: {store}):
        return self.key(words) + self.key(context).mean()


class Block(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.attention = Attention(width)

    def forward(self, words: Tensor, context: Tensor, store: {store}):
        '''
        words: Tensor of shape (b, t, d)
        context: Tensor of shape (n, s, d)
        '''
        return self.attention(words, context, store)


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.block = Block(width)

    def forward(self, words: Tensor, context: Tensor, store: {store}):
        return self.block(words, context, store)
"""


def annotated(tmp_path: Path, store: str) -> str:
    file = tmp_path / "net.py"
    file.write_text(PROGRAM.format(store=store))
    CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "200", str(file)])
    return file.read_text()


@pytest.mark.parametrize("store", ["dict", "Optional[dict]", "str"])
def test_an_argument_that_is_no_tensor_does_not_hide_the_others(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    attention = annotated(tmp_path, store).partition("class Block")[0]
    assert 'context: Float[Tensor, "n s {self.key.in_features}"]' in attention


def test_a_call_whose_result_comes_from_the_cache_counts_at_its_own_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "net.py"
    file.write_text("""
from torch import nn


class Scaled(nn.Module):
    def forward(self, x):
        return x.relu() * 2


class Block(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.scaled = Scaled()

    def forward(self, words):
        first = self.scaled(words)
        second = self.scaled(words)
        b, t, d = words.shape
        return self.inner(first + second)


class Stack(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])

    def forward(self, words, others=None):
        for block in self.blocks:
            words = block(words if others is None else words + others)
        return words
""")
    CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "200", str(file)])
    scaled = file.read_text().split("class Scaled")[1].split("class Block")[0]
    assert "*" not in scaled.split("x: ")[1].split('"')[1]
