"""An index that is out of range for a shape, which is read from the tensor or from a variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

FOUND = {
    "an attribute": "return x.shape[3]",
    "a variable": "s = x.shape; return s[3]",
    "a negative index": "s = x.shape; return s[-4]",
    "a call of size": "s = x.size(); return x.view(s[0], s[3])",
    "a variable that is bound twice, to shapes": "s = x.shape; x = x.flatten(1); s = x.shape; return s[2]",
}

QUIET = {
    "an index in range": "s = x.shape; return s[2], s[-3], s[1:9]",
    "a tuple that is no shape": "s = (1, 2); return s[3]",
    "a variable that has another value, too": "s = x.shape; s = (*s, 1); return s[3]",
    "the target of a loop": "s = x.shape; [s for s in [(1, 2, 3, 4)]]; return s[2]",
    "a parameter": "return shape[3]",
    "a shape of unknown rank": "s = y.shape; return s[3]",
}


def _lines(folder: Path, body: str) -> list[str]:
    header = "def f(y, x=torch.zeros(2, 3, 4), shape=(1, 2)):"
    path, _ = lines_of(folder, f"\n{header}\n    {body}\n")
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", FOUND)
def test_an_index_out_of_range_is_reported(name: str, tmp_path: Path) -> None:
    assert _lines(tmp_path, FOUND[name].replace("x.", "torch.zeros(2, 3, 4).", 1)) == ["shape-mismatch"]


@pytest.mark.parametrize("name", QUIET)
def test_other_indices_are_not_reported(name: str, tmp_path: Path) -> None:
    assert _lines(tmp_path, QUIET[name].replace("x.", "torch.zeros(2, 3, 4).", 1)) == []
