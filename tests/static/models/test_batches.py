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


COLLATED = """
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


rows = [torch.zeros(3, 4), torch.zeros(5, 4), torch.zeros(2, 4)]
for x in DataLoader(Rows(rows), batch_size=2, collate_fn=lambda batch: pad_sequence(batch, True)):
    assert {claim}
"""
CLAIMS = {
    "the longest item of each batch": ("tuple(x.shape) in [(2, 5, 4), (1, 2, 4)]", 0),
    "the length of the first item": ("x.size(1) == 3", 1),
    "another width": ("x.size(2) == 5", 1),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_batches_of_items_that_differ(name: str, tmp_path: Path) -> None:
    claim, count = CLAIMS[name]
    path, _ = lines_of(tmp_path, COLLATED.format(claim=claim))
    assert len(check([path])) == count
