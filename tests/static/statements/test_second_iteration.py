"""Loops of unknown length: an iteration that gets what earlier ones made may fail where those did not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "the state of a cell": """
        class Cell(nn.Module):
            def __init__(self):
                super().__init__()
                self.next = nn.Linear(8 + 16, 32)

            def forward(self, x: Float[Tensor, "b t 8"]):
                state = torch.zeros(x.shape[0], 16)
                for step in range(x.shape[1]):
                    state = self.next(torch.cat([x[:, step], state], -1))  # HERE
                return state
        """,
    "what is None at first": """
        def joined(x: Float[Tensor, "b t d"]):
            out = None
            for step in range(x.shape[1]):
                y = x[:, step]
                out = y if out is None else torch.cat([out, y.unsqueeze(1)], 1)  # HERE
            return out
        """,
    "the branch for later iterations": """
        def total(x: Float[Tensor, "3 4"], count: int):
            is_first = True
            for _ in range(count):
                if is_first:
                    is_first = False
                else:
                    y = x + torch.zeros(5, 4)  # HERE
            return x
        """,
    "a while loop": """
        def grown(x: Float[Tensor, "b 4"], limit):
            while limit():
                x = torch.cat([x, x], 1) @ torch.zeros(8, 8)  # HERE
            return x
        """,
    "an inner loop": """
        def trained(x: Float[Tensor, "3 4"], epochs: int, loader):
            for epoch in range(epochs):
                for batch in loader:
                    x = x + torch.zeros(5, 4)  # HERE
            return x
        """,
    "an inner loop of a function that a loop calls": """
        def epoch(x, loader):
            for batch in loader:
                x = x + torch.zeros(5, 4)  # HERE
            return x

        def trained(x: Float[Tensor, "3 4"], epochs: int, loader):
            for _ in range(epochs):
                x = epoch(x, loader)
            return x
        """,
    "a third iteration": """
        def collected(x: Float[Tensor, "b"]):
            out = None
            for value in x:
                out = value if out is None else torch.cat([out.view(1), value.view(1)])  # HERE
            return out
        """,
    "the number of the iteration": """
        def collected(x: Float[Tensor, "b 3"]):
            for i in range(x.shape[0]):
                if i == 0:
                    out = x[i]
                else:
                    out = torch.cat([out, x[i : i + 1]])  # HERE
            return out
        """,
    "the number of a later iteration": """
        def collected(x: Float[Tensor, "b"]):
            for i in range(x.shape[0]):
                if i == 0:
                    out = x[i]
                else:
                    out = torch.cat([out.view(1), x[i].view(1)])  # HERE
            return out
        """,
    "the number that enumerate gives": """
        def collected(rows, x: Float[Tensor, "3"]):
            for i, row in enumerate(rows):
                out = x if not i else torch.cat([out, x[None]])  # HERE
            return out
        """,
    "a loop that starts later": """
        def collected(x: Float[Tensor, "b 3"]):
            for i in range(1, x.shape[0]):
                out = x[i] if i == 1 else torch.cat([out, x[i : i + 1]])  # HERE
            return out
        """,
}
QUIET = {
    "values that are joined from the first iteration on": """
        def collected(x: Float[Tensor, "b"]):
            for i in range(x.shape[0]):
                if i == 0:
                    out = x[i].view(1)
                else:
                    out = torch.cat([out, x[i].view(1)])
            return out
        """,
    "a number that is not that of the iteration": """
        def collected(x: Float[Tensor, "b 3"], numbers):
            for i in numbers:
                if i == 0:
                    out = x[i]
                else:
                    out = torch.cat([x[i : i + 1], x[i : i + 1]])
            return out
        """,
    "a state that keeps its size": """
        def kept(x: Float[Tensor, "b t 8"], cell: nn.GRUCell):
            state = torch.zeros(x.shape[0], 16)
            cell = nn.GRUCell(8, 16)
            for step in range(x.shape[1]):
                state = cell(x[:, step], state)
            return state
        """,
    "a tensor that grows": """
        def grown(x: Float[Tensor, "b 1 d"], count: int):
            y = x
            for _ in range(count):
                y = torch.cat([y, x], 1)
            return y
        """,
    "a loop that ends after one iteration": """
        def once(x: Float[Tensor, "b 4"], items):
            for _ in items:
                x = torch.cat([x, x], 1) @ torch.zeros(8, 8)
                break
            return x
        """,
    "a condition that is false after one iteration": """
        def until(x: Float[Tensor, "b 4"]):
            is_open = True
            while is_open:
                x = torch.cat([x, x], 1) @ torch.zeros(8, 8)
                is_open = False
            return x
        """,
    "an early return": """
        def returned(x: Float[Tensor, "b 4"], items):
            for _ in items:
                x = torch.cat([x, x], 1) @ torch.zeros(8, 8)
                return x
        """,
    "a branch that another iteration may take": """
        def chosen(x: Float[Tensor, "b 4"], items):
            y = None
            for item in items:
                if item.is_last:
                    return torch.cat([y, x], 1)
                y = x
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, _),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "shape-mismatch")


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
