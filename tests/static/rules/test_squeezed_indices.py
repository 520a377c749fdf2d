"""squeeze-batch: the squeezed indices of the elements found, in a collection."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "in a tuple in a list": """
        def constraints(rows: Float[Tensor, "k d"]):
            found = []
            for i in range(rows.shape[0]):
                indices = rows[i, :].nonzero(as_tuple=False).squeeze()  # HERE
                weights = -rows[i, indices]
                found.append((indices, weights))
            return found
        """,
    "in a list": """
        def groups(labels: Float[Tensor, "n"]):
            chosen = []
            for label in range(3):
                chosen.append(torch.nonzero(labels == label).squeeze())  # HERE
            return chosen
        """,
    "of argwhere, in a display": """
        def halves(scores: Float[Tensor, "n"]):
            high = torch.argwhere(scores > 0).squeeze()  # HERE
            return [high, scores]
        """,
}

QUIET = {
    "with dim": """
        def groups(labels: Float[Tensor, "n"]):
            return [torch.nonzero(labels == label).squeeze(1) for label in range(3)]
        """,
    "with a test of its rank": """
        def groups(labels: Float[Tensor, "n"]):
            chosen = []
            for label in range(3):
                found = (labels == label).nonzero().squeeze()
                if found.dim() == 0:
                    found = found.unsqueeze(0)
                chosen.append(found)
            return chosen
        """,
    "made a vector by a function": """
        def groups(labels: Float[Tensor, "n"]):
            chosen = []
            for label in range(3):
                found = (labels == label).nonzero().squeeze()
                chosen.append(found if len(found.shape) else torch.atleast_1d(found))
            return chosen
        """,
    "as an index that selects and assigns": """
        def kept(x: Float[Tensor, "n d"], y: Float[Tensor, "n d"], ok: Float[Tensor, "n"]):
            rows = (ok > 0).nonzero().squeeze()
            x[rows] = y[rows] + 1
            return x
        """,
    "as an index of what is reduced": """
        def loss(losses: Float[Tensor, "n"], ok: Float[Tensor, "n"]):
            rows = ok.nonzero().squeeze()
            return losses[rows].mean(), losses[ok.nonzero().squeeze()].sum()
        """,
    "of a matrix": """
        def pairs(x: Float[Tensor, "n d"]):
            found = []
            found.append(x.nonzero().squeeze())
            return found
        """,
    "other rows, of which there is a known number": """
        def rows():
            found = []
            found.append(torch.zeros(5, 1).squeeze())
            return found
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, text),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "squeeze-batch")
    assert text == "squeeze() of the indices of a single element is 0-D; use squeeze(1)"


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
