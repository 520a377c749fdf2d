"""Batches of a loader beside other values: each of several equal batches is there once."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.zeros({rows}, 4)), batch_size=3)
for {loop}:
    assert {claim}
"""
LOOPS = {
    "the last batch is not the second": (7, "(x,), n in zip(loader, [3, 3, 1])", "x.size(0) == n", 0),
    "no batch has this size": (7, "(x,), n in zip(loader, [2, 2, 2])", "x.size(0) == n", 1),
    "another width": (7, "(x,), n in zip(loader, [3, 3, 1])", "x.size(1) == 5", 1),
    "two loaders": (7, "(x,), (y,) in zip(loader, loader)", "x.shape == y.shape", 0),
    "an index": (7, "index, (x,) in enumerate(loader)", "index < 1 or x.size(0) == 3 or index == 2", 0),
    "an index and another width": (7, "index, (x,) in enumerate(loader)", "x.size(1) == 5", 1),
}


@pytest.mark.parametrize("name", LOOPS)
def test_batches(name: str, tmp_path: Path) -> None:
    rows, loop, claim, count = LOOPS[name]
    path, _ = lines_of(tmp_path, PROGRAM.format(rows=rows, loop=loop, claim=claim))
    assert len(check([path])) == count
