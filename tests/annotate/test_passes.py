"""`shapecheck annotate` analyzes what it has written again, until nothing is added."""

from __future__ import annotations

from pathlib import Path

from shapecheck.annotate.model import AnnotateOptions
from shapecheck.annotate.reusing import Surroundings
from shapecheck.annotate.run import run

CHAIN = """import torch
from torch import Tensor, nn


class Table(nn.Module):
    def __init__(self, classes: int, dim: int):
        super().__init__()
        self.table = nn.Embedding(classes, dim)

    def drop(self, labels):
        return torch.where(torch.rand(labels.shape[0]) < 0.5, 0, labels)

    def forward(self, labels, train):
        if train:
            labels = self.drop(labels)
        return self.table(labels)


class Net(nn.Module):
    def __init__(self, classes: int, dim: int):
        super().__init__()
        self.embed = Table(classes, dim)

    def forward(self, y):
        \"\"\"y: (N,) tensor of labels\"\"\"
        return self.embed(y, self.training)
"""
"""What is written for `Table.forward` shows the rank of the argument of `drop`."""


def test_what_annotations_show_about_other_functions_is_written_in_the_same_run(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(CHAIN)
    (result,) = run([path], Surroundings([tmp_path]), AnnotateOptions())
    once = path.read_text()
    assert 'def drop(self, labels: Shaped[Tensor, " N"]) -> Shaped[Tensor, " N"]:' in once
    assert {(note.function.name, note.function.line) for note in result.written} == {
        ("Table.forward", 13),
        ("Table.drop", 10),
        ("Net.forward", 24),
    }
    (result,) = run([path], Surroundings([tmp_path]), AnnotateOptions())
    assert not result.written
    assert path.read_text() == once
