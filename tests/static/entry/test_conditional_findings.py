"""Warnings about two widths that must be equal, in files that use the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

MODEL = """
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, vocab: int, width: int, hidden: int):
        super().__init__()
        self.table = nn.Embedding(vocab, width)
        self.layer = nn.Linear(width, width)
        self.head = nn.Linear(hidden, vocab)

    def forward(self, ids):
        return self.head(self.layer(self.table(ids)))

"""
CALL = "Model(9, 8, {})(torch.zeros(2, 3, dtype=torch.int64))\n"
CASES = {
    "no use": ("", [("off-default", "expected hidden in dimension -1 of the input, got width")]),
    "sizes that work": (CALL.format(8), []),
    "sizes that fail": (
        CALL.format(4),
        [("shape-mismatch", "expected the last dimension of the input to be 4, got 8")],
    ),
    "a use of another class": ("class Other(Model):\n    pass\n", [("off-default", "got width")]),
}


WITH_DEFAULT = MODEL.replace("hidden: int", "hidden: int, bias: bool = True").replace("vocab)\n\n", "vocab, bias)\n\n")


def test_a_warning_that_depends_on_a_default(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(WITH_DEFAULT)
    assert [one.code for one in check([path])] == ["off-default"]
    path.write_text(WITH_DEFAULT + CALL.format(4))
    assert [one.code for one in check([path])] == ["shape-mismatch"]


@pytest.mark.parametrize("case", CASES)
def test_one_finding_at_most(case: str, tmp_path: Path) -> None:
    use, expected = CASES[case]
    path = tmp_path / "model.py"
    path.write_text(MODEL + use)
    found = check([path])
    assert [one.code for one in found] == [code for code, _ in expected]
    assert all(text in one.message for one, (_, text) in zip(found, expected, strict=True))
