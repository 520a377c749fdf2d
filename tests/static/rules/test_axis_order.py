"""axis-order: a reshape across an axis."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

HEADS = 'def f(x: Float[Tensor, "b h t d"]):\n    b, h, t, d = x.shape\n'

FOUND = {
    "heads merged across tokens": HEADS + "    return x.reshape(b, t, h * d)  # HERE\n",
    "batch and tokens merged across heads": HEADS + "    return x.reshape(b * t, h, d)  # HERE\n",
}

QUIET = {
    "heads merged after a transpose": HEADS + "    return x.transpose(1, 2).reshape(b, t, h * d)\n",
    "neighbours merged": HEADS + "    return x.reshape(b * h, t, d), x.reshape(b, h, t * d)\n",
    "everything merged": HEADS + "    return x.reshape(b, -1)\n",
    "the rest of a size by another that may be equal": """
        class Head(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.width = width
                self.out = nn.Linear(10, width)

            def forward(self, memory: Tensor, n: int):
                return self.out(memory.new_zeros(n, 10)).view(memory.size(0), self.width, -1)
        """,
    "axes only exchanged, as relative positions do": HEADS + "    return x.reshape(b, h, d, t)\n",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, _),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "axis-order")


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
