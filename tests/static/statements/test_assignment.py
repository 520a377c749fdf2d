"""What is assigned: to a part of a tensor, to several names, to a parameter, to a field by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "items assigned to a slice": (
        """
        sizes = [1, 2, 3]
        sizes[1:] = [5]
        torch.zeros(sizes).permute(0, 1, 2)  # HERE
        """,
        "shape-mismatch",
    ),
    "a slice of another size": ("t = torch.zeros(4, 5)\nt[:, 1::2] = torch.zeros(4, 3)  # HERE", "shape-mismatch"),
    "too many items": ("a, b, c = torch.zeros(48).split(3)  # HERE", "wrong-call"),
    "too few items": ("a, b, c = torch.zeros(2, 3).shape  # HERE", "wrong-call"),
    "a tied weight of another width": (
        """
        embedding, head = nn.Embedding(9, 4), nn.Linear(5, 9)
        head.weight = embedding.weight
        head(torch.zeros(2, 5))  # HERE
        """,
        "shape-mismatch",
    ),
    "parameters of other sizes": (
        """
        for a, b in zip(nn.Linear(4, 5).parameters(), nn.Linear(4, 6).parameters()):
            a.data.copy_(b)  # HERE
        """,
        "shape-mismatch",
    ),
    "a field of a named tuple": (
        """
        from collections import namedtuple
        Step = namedtuple("Step", "state action")
        nn.Linear(3, 2)(Step(torch.zeros(1, 4), 0).state)  # HERE
        """,
        "shape-mismatch",
    ),
}

QUIET = {
    "as many items as are assigned to a slice": """
        def step(t, g):
            return t, g

        def f(x: Tensor):
            cached = [None]
            cached[:] = step(1.0, x)
            t, g = cached
            cached[1:] = [g]
            return cached[1] * t
        """,
    "an unknown number of items": """
        def f(x: Tensor, parts):
            cached = [None]
            cached[:] = parts
            t, g = cached
            return g * t
        """,
    "a slice of the same size": "t = torch.zeros(4, 5)\nt[:, 1::2] = torch.zeros(4, 2)",
    "a number, a row, and in place": "t = torch.zeros(4, 5)\nt[0] = 1\nt[:2] = torch.zeros(5)\nt[0] += torch.zeros(5)",
    "half that is added to in place": ("h = torch.zeros(3).half()\nm = torch.zeros(3) > 0\nh[m] += torch.zeros(3)[m]"),
    "as many items as names": "a, b, c = torch.zeros(48).split(16)\nd, *e = torch.zeros(2, 3).shape",
    "a tied weight": """
        embedding, head = nn.Embedding(9, 4), nn.Linear(4, 9)
        head.weight = embedding.weight
        head(torch.zeros(2, 4))
        """,
    "layers by name": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                setattr(self, "fc", nn.Linear(4, 4))

            def forward(self, x):
                return getattr(self, "fc")(x)

        Net()(torch.zeros(1, 4))
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, expected = FOUND[name]
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), expected)


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
