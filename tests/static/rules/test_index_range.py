"""index-range: arange past the rows of an embedding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "more than the rows": "nn.Embedding(32, 4)(torch.arange(40))  # HERE",
    "in another shape": "nn.Embedding(32, 4)(torch.arange(40).unsqueeze(0).expand(2, -1))  # HERE",
    "from a start": "nn.Embedding(32, 4)(torch.arange(30, 33))  # HERE",
}

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
