"""silent-broadcast: `(..., 1) - (...)` of tensors that have the same leading dimensions for each rank that works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a weighted mean and a product": """
        def f(borders: Tensor, probabilities: Tensor):
            mean = (borders[1:] * probabilities).sum(-1, keepdim=True)
            return probabilities @ borders[1:].square() - mean.square()  # HERE
        """,
    "in properties": """
        class Posterior:
            def __init__(self, borders: Tensor, probabilities: Tensor):
                self.borders, self.probabilities = borders, probabilities

            @property
            def mean(self):
                mid = (self.borders[1:] + self.borders[:-1]) / 2
                return (mid * self.probabilities).sum(-1, keepdim=True)

            @property
            def variance(self):
                return self.probabilities @ self.borders[1:].square() - self.mean.square()  # HERE
        """,
}
SLICED = {
    "a column that is one item": """
        def f(q: Tensor):
            return q[..., 0:1] / q.norm(dim=-1)  # HERE
        """,
    "a later item, in a class": """
        class Quaternion:
            def __init__(self, data: Tensor):
                self.data = data

            @property
            def z(self):
                return self.data[..., 3:4]

            def angle(self):
                return self.z / self.data.norm(dim=-1)  # HERE
        """,
    "the last item": """
        def f(q: Tensor):
            return q[..., -1:] / q.norm(dim=-1)  # HERE
        """,
}
QUIET = {
    "an item and what is kept": """
        def f(q: Tensor):
            return q[..., 0:1] / q.norm(dim=-1, keepdim=True), q[..., 0] / q.norm(dim=-1)
        """,
    "two items": """
        def f(q: Tensor):
            return q[..., 0:2] / q.norm(dim=-1)
        """,
    "a column in both": """
        def f(borders: Tensor, probabilities: Tensor):
            mean = (borders[1:] * probabilities).sum(-1, keepdim=True)
            return (probabilities @ borders[1:].square()).unsqueeze(-1) - mean.square()
        """,
    "the kept dimension": """
        def f(x: Tensor, w: Tensor):
            z = x * w
            return z - z.mean(-1, keepdim=True), w / w.norm(dim=-1, keepdim=True), x - w.mean(-1, keepdim=True)
        """,
    "a matrix of weights": """
        def f(x: Tensor, w: Tensor):
            return x @ w - x.mean(-1, keepdim=True)
        """,
    "an inserted axis": """
        def f(borders: Tensor, probabilities: Tensor):
            mean = (borders[1:] * probabilities).sum(-1)
            return probabilities @ borders[1:].square() - mean.unsqueeze(-1)
        """,
    "too many sources": """
        def f(a: Tensor, b: Tensor, c: Tensor, d: Tensor):
            return (a @ b.exp()) - (a * b * c * d).sum(-1, keepdim=True)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, message),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "silent-broadcast")
    assert message == "both operands are broadcast: (...) - (..., 1) -> (..., ?)"


@pytest.mark.parametrize("name", SLICED)
def test_slices_of_one_item(name: str, tmp_path: Path) -> None:
    ((line, code, message),) = reported(tmp_path, SLICED[name])
    assert (line, code) == (place(SLICED[name]), "silent-broadcast")
    assert message == "both operands are broadcast: (..., 1) / (...) -> (..., ?)"


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
