"""Two operands of which one has its dimension of 1 at the wrong place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

INPUT = "def f(x: Tensor, n: int):\n    b, t, d = x.shape\n    row, column = torch.zeros(t, d), torch.zeros(b, d)\n"
FOUND = {
    "positions": "    return x + row.unsqueeze(1)  # HERE\n",
    "positions on the left": "    return row.unsqueeze(1) - x  # HERE\n",
    "learned positions": "    return x + nn.Embedding(9, 64)(torch.arange(t)).unsqueeze(1)  # HERE\n",
    "a sample's own row": "    return x - column[None]  # HERE\n",
}
QUIET = {
    "positions": "    return x + row.unsqueeze(0)\n",
    "a sample's own row": "    return x - column.unsqueeze(1)\n",
    "all pairs of rows": "    return x.unsqueeze(2) - x.unsqueeze(1)\n",
    "a number of rows": "    return x + torch.zeros(n, 1, d)\n",
    "a matrix and rows": "    return torch.zeros(t, d) + torch.zeros(d, 1)\n",
    "an unknown size": "    return x + torch.zeros(t // 2 + b, 1, d)\n",
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    source = INPUT + FOUND[case]
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert "are equal; expected" in message


@pytest.mark.parametrize("case", QUIET)
def test_quiet(case: str, tmp_path: Path) -> None:
    assert reported(tmp_path, INPUT + QUIET[case]) == []
