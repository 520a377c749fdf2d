"""Negative numbers as defaults: code replaces them before they are sizes; as dimensions they count from the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

CONFIG = """
from dataclasses import dataclass, field

@dataclass
class Config:
    width: int = 8
    words: int = -1
    out: int = field(default=-1)
    dim: int = -1

class Plain:
    words = -1

class Head(nn.Module):
    def __init__(self, words=-1, *, out=-1, dim=-1):
        super().__init__()
        self.words, self.out, self.dim = words, out, dim

def table(words=-1):
    return torch.zeros(words, 3)

def main():
    config, head, x = Config(), Head(), torch.zeros(3, 16)
"""
QUIET = {
    "a layer": "nn.Embedding(config.words, config.width)",
    "a layer by an option": "nn.Linear(4, config.out if config.out > 0 else config.words)",
    "a tensor": "torch.zeros(3, head.words)",
    "a tuple of sizes": "torch.zeros((3, head.out))",
    "a class attribute": "torch.zeros(Plain().words)",
    "a product": "torch.zeros(2 * config.words, 3)",
    "a number that int returns": "torch.zeros(int(config.words))",
    "a bound of random numbers": "torch.randint(0, config.words, (2, 3))",
    "the end of a slice": "assert x[:, : config.words].shape == (3, 16)",
    "the end of a slice by int": "assert x[..., : int(config.words)].shape == (3, 16)",
    "a number of items": "y = torch.cat([x for _ in range(config.words)])",
    "a repeated list": "torch.cat([x] * config.words)",
    "repeats": "x.repeat(2, config.words)",
    "the size of parts": "x.split(config.words)",
    "an expanded size": "x[:, :1].expand(3, config.words)",
    "a call that passes none": "table()",
}
FOUND = {
    "a size that is written": "torch.zeros(3, -1)",
    "a size that the call passes": "table(-1)",
    "a size that the call of a class passes": "torch.zeros(3, Head(-1).words)",
    "a field that the call passes": "torch.zeros(3, Config(words=-1).words)",
    "a size that is computed": "torch.zeros(3, config.width - 9)",
    "a size that is assigned": "config.words = -1\n    torch.zeros(config.words)",
    "a dimension": "torch.cat([x, torch.zeros(4, 2)], dim=head.dim)",
    "a dimension of a field": "x.sum(config.dim) + torch.zeros(4)",
    "an index of a shape": "torch.zeros(2, x.shape[config.dim]) @ x",
    "an inferred size": "x.view(2, head.words) @ x",
    "an index from the end": "(nn.Linear(4, 4), nn.Linear(8, 4))[head.dim](x)",
    "an unknown option": "torch.zeros(3, bogus=config.words)",
}


def codes(folder: Path, line: str) -> list[str]:
    path, _ = lines_of(folder, f"{CONFIG}    {line}\n\nmain()\n")
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", QUIET)
def test_as_a_size_it_is_to_be_replaced(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, QUIET[name]) == []


@pytest.mark.parametrize("name", FOUND)
def test_a_number_that_the_program_passes_and_a_dimension_are_known(name: str, tmp_path: Path) -> None:
    assert len(codes(tmp_path, FOUND[name])) == 1
