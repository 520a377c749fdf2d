"""A condition that a function tests twice has one outcome, if nothing that it reads is changed in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import Severity
from shapecheck.static import check
from tests.static.programs import lines_of

FOUND = {
    "the number of dimensions": (
        """
        def banks(spec: Tensor) -> Tensor:
            shape = spec.shape
            if len(shape) == 4:
                spec = spec.permute(0, 3, 1, 2).reshape(shape[0] * shape[3], shape[1], shape[2])
            out = torch.matmul(spec, torch.zeros(11, 5))
            if len(shape) == 4:
                sizes = out.shape
                out = out.reshape(shape[0], sizes[3], sizes[1], sizes[2])  # HERE
            return out
        """,
        "len(shape) == 4",
    ),
    "an option of a configuration": (
        """
        class Net(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.deep = config.deep
                self.first, self.more, self.last = nn.Linear(3, 8), nn.Linear(8, 16), nn.Linear(8, 2)

            def forward(self, x):
                x = self.first(x)
                if self.deep:
                    x = self.more(x)
                x = torch.relu(x)
                if self.deep:
                    x = self.last(x)  # HERE
                return x
        """,
        "self.deep",
    ),
    "code after a branch that returns": (
        """
        def pooled(x: Float[Tensor, "b 4 8"], mode):
            if mode == "mean":
                x = x.mean(1)
            else:
                x = x.flatten(1)
            if mode == "mean":
                return x
            return x @ torch.zeros(8, 2)  # HERE
        """,
        "not (mode == 'mean')",
    ),
    "the branch for the other outcome": (
        """
        def pooled(x: Float[Tensor, "b 4 8"], mode):
            if mode == "mean":
                x = x.mean(1)
            else:
                x = x.flatten(1)
            if mode == "mean":
                y = x
            else:
                y = x @ torch.zeros(8, 2)  # HERE
            return y
        """,
        "not (mode == 'mean')",
    ),
}

QUIET = {
    "branches that fit": """
        class Net(nn.Module):
            def __init__(self, deep: bool):
                super().__init__()
                self.deep = deep
                self.first, self.more, self.back = nn.Linear(3, 8), nn.Linear(8, 16), nn.Linear(16, 8)

            def forward(self, x):
                x = self.first(x)
                if self.deep:
                    x = self.more(x)
                if self.deep:
                    x = self.back(x)
                return x
        """,
    "a condition that an assignment changes": """
        def scaled(x: Float[Tensor, "b 8"], wide):
            if wide:
                x, wide = torch.cat([x, x], 1), False
            if wide:
                x = x @ torch.zeros(8, 2)
            return x
        """,
    "a condition that a call may change": """
        class Net(nn.Module):
            def __init__(self, wide: bool):
                super().__init__()
                self.wide = wide

            def narrow(self):
                self.wide = False

            def forward(self, x: Float[Tensor, "b 8"]):
                if self.wide:
                    x = torch.cat([x, x], 1)
                    self.narrow()
                if self.wide:
                    x = x @ torch.zeros(8, 2)
                return x
        """,
    "a condition that is random": """
        import random

        def scaled(x: Float[Tensor, "b 8"]):
            if random.random() < 0.5:
                x = torch.cat([x, x], 1)
            if random.random() < 0.5:
                return x[:, :8] @ torch.zeros(8, 2)
            return x
        """,
    "the length of a list that changes": """
        def stacked(parts, x: Float[Tensor, "b 8"]):
            if len(parts) == 1:
                x = torch.cat([x, x], 1)
                parts.append(x)
            if len(parts) == 1:
                x = x @ torch.zeros(8, 2)
            return x
        """,
    "a condition in a loop that changes it later": """
        def stepped(x: Float[Tensor, "b 8"], first):
            for step in range(3):
                if first:
                    x = torch.zeros(4, 16)
                if first:
                    x = x[:, :8]
                first = x.sum() > 0
            return x @ torch.zeros(8, 2)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_what_fails_for_one_outcome_is_reported(name: str, tmp_path: Path) -> None:
    program, condition = FOUND[name]
    path, text = lines_of(tmp_path, program)
    (one,) = check([path])
    assert one.severity is Severity.ERROR
    assert one.line == 1 + text[: text.index("# HERE")].count("\n")
    assert one.notes[-1].message == f"found where {condition}"


@pytest.mark.parametrize("name", QUIET)
def test_a_condition_that_may_change_is_not_assumed(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []
