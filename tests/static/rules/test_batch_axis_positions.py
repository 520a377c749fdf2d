"""batch-axis: positions that are added along the dimension which the next layer treats as the batch."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch

from .programs import HEAD, place, reported

PROGRAM = """
class Sinusoid(nn.Module):
    def __init__(self, features, longest=50):
        super().__init__()
        self.dropout = nn.Dropout(0.1)
        position = torch.arange(longest).unsqueeze(1)
        frequency = torch.exp(torch.arange(0, features, 2) * (-9.2 / features))
        waves = torch.zeros(longest, 1, features)
        waves[:, 0, 0::2] = torch.sin(position * frequency)
        waves[:, 0, 1::2] = torch.cos(position * frequency)
        self.register_buffer("waves", waves)

    def forward(self, x):
        return self.dropout(x + self.waves[: x.size(0)])

class Net(nn.Module):
    def __init__(self, count, features, heads, longest):
        super().__init__()
        self.embedding = nn.Embedding(count, features)
        self.row = nn.Parameter(torch.randn(1, longest, features))
        self.table = nn.Embedding(longest, features)
        self.sinusoid = Sinusoid(features)
        layer = nn.TransformerEncoderLayer(features, heads, batch_first={batch_first})
        self.layer = nn.TransformerEncoder(layer, 2)

    def forward(self, tokens):
        x = self.embedding(tokens)
        steps = torch.arange(tokens.shape[1], device=tokens.device)
        return self.layer({positions})  # HERE
"""
FOUND = {
    "x + self.row[:, : x.size(1)]": (
        False,
        "the positions (1, longest, features) that are added vary along dimension 1, "
        "which TransformerEncoder without batch_first=True treats as the batch",
    ),
    "self.row[:, : x.shape[1]] + x * 2": (False, "vary along dimension 1"),
    "x + self.table(steps)": (False, "vary along dimension 1"),
    "x + self.table(steps.unsqueeze(0))": (False, "vary along dimension 1"),
    "self.sinusoid(x)": (
        True,
        "the positions (50, 1, features) that are added vary along dimension 0, "
        "which TransformerEncoder with batch_first=True treats as the batch",
    ),
}
QUIET = {
    "x + self.row[:, : x.size(1)]": True,
    "x + self.table(steps)": True,
    "self.sinusoid(x.transpose(0, 1)).transpose(0, 1)": True,
    "(x + self.row[:, : x.size(1)]).transpose(0, 1)": False,
    "x.transpose(0, 1) + self.table(steps).unsqueeze(1)": False,
    "self.sinusoid(x.transpose(0, 1))": False,
}
UNKNOWN = {
    "x + self.table(tokens)": False,
    "x + self.row[:, :1]": False,
    "x + torch.randn(1, x.size(1), x.size(2), device=x.device)": False,
}


def program(positions: str, batch_first: bool) -> str:
    return PROGRAM.format(positions=positions, batch_first=batch_first)


def is_same_for_equal_samples(source: str, batch: int) -> bool:
    """Whether equal samples have equal results, which positions along the batch prevent."""
    names: dict[str, object] = {}
    exec(HEAD + textwrap.dedent(source), names)
    build = names["Net"]
    assert callable(build)
    torch.manual_seed(0)
    net = build(20, 8, 2, 30).eval()
    result = net(torch.randint(20, (1, 5)).expand(5, 5)).movedim(batch, 0)
    return torch.allclose(result[0], result[1], atol=1e-4)


@pytest.mark.parametrize("positions", FOUND)
def test_found(positions: str, tmp_path: Path) -> None:
    batch_first, expected = FOUND[positions]
    source = program(positions, batch_first)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "batch-axis")
    assert expected in message


@pytest.mark.parametrize("positions", QUIET)
def test_quiet(positions: str, tmp_path: Path) -> None:
    assert reported(tmp_path, program(positions, QUIET[positions])) == []


@pytest.mark.parametrize("positions", UNKNOWN)
def test_what_may_differ_between_samples(positions: str, tmp_path: Path) -> None:
    assert reported(tmp_path, program(positions, UNKNOWN[positions])) == []


@pytest.mark.parametrize("positions", ["self.sinusoid(x)"])
def test_equal_samples_get_different_results(positions: str) -> None:
    assert not is_same_for_equal_samples(program(positions, True), 0)


@pytest.mark.parametrize("positions", QUIET)
def test_equal_samples_get_equal_results(positions: str) -> None:
    batch_first = QUIET[positions]
    assert is_same_for_equal_samples(program(positions, batch_first), 0 if batch_first else 1)
