"""repeated-index: labels that occur several times and are counted once."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch

from .programs import HEAD, place, reported

PROGRAM = """
from jaxtyping import Int

def counts(scores: Float[Tensor, "n k"], y: Int[Tensor, "n"], other):
    n, k = scores.shape
    matrix = torch.zeros(k, k, dtype=torch.int64)
    every = torch.arange(n)
    {statement}  # HERE
    return matrix
"""
FOUND = [
    "matrix[y, scores.argmax(1)] += 1",
    "matrix[y.long(), scores.argmax(dim=1).view(-1)] += 1",
    "matrix[y, scores.topk(1, dim=1)[1].squeeze(1)] += 1",
    "matrix[scores.max(1)[1], y] += 1",
]
QUIET = [
    "matrix.index_put_((y, scores.argmax(1)), torch.tensor(1), accumulate=True)",
    "matrix += torch.bincount(y * k + scores.argmax(1), minlength=k * k).view(k, k)",
]
ONCE = [
    "scores[every, y] += 1",
    "matrix[y, scores.argmax(1)] = 1",
    "matrix[y] += 1",
    "matrix[scores.nonzero()[:, 1], scores.nonzero()[:, 1]] += 1",
    "matrix[0, 1] += 1",
    "matrix[y[0], y[1]] += 1",
    "matrix[y, y.long()] += 1",  # may be the edges of a graph
    "matrix[y.max(), scores.argmax() % k] += 1",
    "matrix[y, other] += 1",
    "matrix[y, scores.argmax(1)] += y",
]


def source(statement: str) -> str:
    return PROGRAM.format(statement=statement)


@pytest.mark.parametrize("statement", FOUND)
def test_found(statement: str, tmp_path: Path) -> None:
    ((line, code, _),) = reported(tmp_path, source(statement))
    assert (line, code) == (place(source(statement)), "repeated-index")


@pytest.mark.parametrize("statement", [*QUIET, *ONCE])
def test_quiet(statement: str, tmp_path: Path) -> None:
    assert reported(tmp_path, source(statement)) == []


@pytest.mark.parametrize("statement", [*FOUND, *QUIET])
def test_how_many_are_counted(statement: str) -> None:
    names: dict[str, object] = {}
    exec(HEAD + textwrap.dedent(source(statement)), names)
    counts = names["counts"]
    assert callable(counts)
    matrix = counts(torch.eye(3)[[0, 0, 0, 1]], torch.tensor([2, 2, 2, 1]), None)
    assert int(matrix.sum()) == (2 if statement in FOUND else 4)
