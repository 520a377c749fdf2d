"""index-range: arange past the rows of an embedding."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.rules.programs import HEAD, place, reported

FOUND = {
    "more than the rows": "nn.Embedding(32, 4)(torch.arange(40))  # HERE",
    "in another shape": "nn.Embedding(32, 4)(torch.arange(40).unsqueeze(0).expand(2, -1))  # HERE",
    "from a start": "nn.Embedding(32, 4)(torch.arange(30, 33))  # HERE",
}

INDICES_OF_A_CALL = """
def positions():
    return torch.arange(20)

class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 4)

    def forward(self, x):
        return self.table(positions())

class Second(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 4)

    def forward(self, x):
        return self.table(positions())
"""

QUIET = {
    "as many as the rows": "nn.Embedding(32, 4)(torch.arange(32))",
    "a part of them": "nn.Embedding(32, 4)(torch.arange(40)[:32])",
    "other indices": "nn.Embedding(32, 4)(torch.zeros(40).long())",
    "none": "nn.Embedding(32, 4)(torch.arange(40, 40))",
    "divided": "nn.Embedding(32, 4)(torch.arange(40) // 2)",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, _),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "index-range")


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []


def test_indices_that_a_function_makes_are_seen_wherever_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + INDICES_OF_A_CALL)
    assert [(one.line, one.code) for one in check([path])] == [(16, "index-range"), (24, "index-range")]
