"""Losses of class indices: the classes are dimension 1 of the scores, and the target does not have them."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch

from .programs import HEAD, place, reported

PROGRAM = """
from jaxtyping import Int

class Tagger(nn.Module):
    def __init__(self, words, features, classes):
        super().__init__()
        self.embedding = nn.Embedding(words, features)
        self.head = nn.Linear(features, classes)
        self.head_of_9 = nn.Linear(features, 9)
        self.conv = nn.Conv2d(features, classes, 1)
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x: Int[Tensor, "b t"], y: Int[Tensor, "b"]):
        b, t = x.shape
        e = self.embedding(x)
        scores = self.head(e)
        maps = self.conv(e.mT[..., None].expand(-1, -1, -1, 6))
        marks = x[..., None].expand(-1, -1, 6)
        return {loss}  # HERE
"""
FOUND = {
    "F.cross_entropy(scores, x)": "cross_entropy: expected the classes in dimension 1 of (b, t, classes), which has "
    "them in dimension 2 for a target of shape (b, t); it works only if t equals classes: use movedim(2, 1), or "
    "flatten both",
    "self.criterion(self.head_of_9(e), x)": "it works only if t equals 9",
    "F.nll_loss(scores.log_softmax(-1), x)": "it works only if t equals classes",
    "F.cross_entropy(maps.permute(0, 2, 3, 1), marks)": "which has them in dimension 3",
    "F.cross_entropy(scores.mean(1), y[:, None])": "cross_entropy: expected class indices without dimension 1, got a "
    "target of shape (b, 1) for scores of shape (b, classes); use squeeze(1)",
    "self.criterion(maps, marks[:, None])": "for scores of shape (b, classes, t, 6); use squeeze(1)",
}
QUIET = [
    "F.cross_entropy(scores.movedim(2, 1), x)",
    "F.cross_entropy(scores.flatten(0, 1), x.flatten())",
    "F.cross_entropy(maps, marks)",
    "F.cross_entropy(scores.mean(1), y)",
    "F.cross_entropy(scores.mean(1), scores.softmax(2).mean(1))",
]


def program(loss: str) -> str:
    return PROGRAM.format(loss=loss)


@pytest.mark.parametrize("loss", FOUND)
def test_found(loss: str, tmp_path: Path) -> None:
    source = program(loss)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert FOUND[loss] in message


@pytest.mark.parametrize("loss", QUIET)
def test_quiet(loss: str, tmp_path: Path) -> None:
    assert reported(tmp_path, program(loss)) == []


@pytest.mark.parametrize("loss", [*FOUND, *QUIET])
def test_torch_refuses_what_is_found(loss: str) -> None:
    names: dict[str, object] = {}
    exec(HEAD + textwrap.dedent(program(loss)), names)
    build = names["Tagger"]
    assert callable(build)
    tagger, x, y = build(20, 8, 7), torch.randint(7, (3, 5)), torch.randint(7, (3,))
    if loss in QUIET:
        tagger(x, y)
    else:
        with pytest.raises((RuntimeError, ValueError)):
            tagger(x, y)
