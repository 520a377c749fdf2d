"""silent-broadcast of a column of a batch and a vector that no data is in: it is paired on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

MODULE = """
class Head(nn.Module):
    def __init__(self, levels: int):
        super().__init__()
        self.score = nn.Linear(3, 1)
        self.levels = levels
        self.bias = nn.Parameter(torch.randn(levels))
        self.register_buffer("grid", torch.linspace(0, 1, levels))

    def forward(self, x: Tensor, y: Tensor, n: int):
        score = self.score(x.reshape(-1, 3))
        return score - {}{}
"""

QUIET = {
    "a parameter": "self.bias",
    "a buffer": "self.grid",
    "what is computed from them": "torch.cat([self.bias[:1], self.bias[1:].exp().cumsum(0) + self.grid[1:]])",
    "a range": "torch.arange(self.levels).float()",
    "a filled tensor": "torch.full((self.levels,), 0.5)",
    "numbers": "torch.tensor([0.1, 0.2, 0.3])",
}

FOUND = {
    "an argument": "torch.cat([y.float(), self.bias])",
    "an argument and a parameter": "(torch.cat([y.float(), self.bias]) * self.bias.mean())",
    "random numbers": "torch.rand(n)",
    "random numbers like a parameter": "torch.rand_like(self.bias)",
    "random numbers that fill": "torch.zeros(n).normal_()",
    "random integers": "torch.randint(0, 2, (n,)).float()",
}


def outer(folder: Path, source: str) -> list[int]:
    """The lines with an outer result; the tensors that forward creates are also on the default device."""
    return [line for line, code, _ in reported(folder, source) if code == "silent-broadcast"]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert outer(tmp_path, MODULE.format(QUIET[name], "")) == []


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source = MODULE.format(FOUND[name], "  # HERE")
    assert outer(tmp_path, source) == [place(source)]


def test_a_tensor_that_is_filled_with_data(tmp_path: Path) -> None:
    source = MODULE.format("y", "").replace(
        "return score - y", "t = torch.zeros(n)\n        t[0] = y\n        score - t  # HERE"
    )
    assert outer(tmp_path, source) == [place(source)]


def test_constants_of_the_same_size_as_the_column(tmp_path: Path) -> None:
    source = "torch.rand(8, 1) - torch.zeros(8)  # HERE"
    assert outer(tmp_path, source) == [place(source)]
