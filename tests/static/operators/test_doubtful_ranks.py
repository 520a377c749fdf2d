"""A rank of which only a lower bound is known: a branch may be for another rank, though nothing says so."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import CODES, lines_of

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1, 64, 1, 1, 1))
        self.fc = nn.Linear(8, 4)
"""
QUIET = {
    "axes made from the rank": """
        def forward(self, x):
            y = self.weight * x
            axes = list(range(2, y.ndim))
            if len(axes) == 1:
                return F.interpolate(y, size=4, mode="linear")
            return y
        """,
    "a call in a branch": """
        def forward(self, x, kind):
            y = self.weight * x
            return self.resized(y) if kind == "row" else y

        def resized(self, y):
            return F.interpolate(y, size=4, mode="linear")
        """,
    "a return for other kinds": """
        def forward(self, x, kind):
            y = self.weight * x
            if kind == "volume":
                return y
            return y.permute(0, 2, 1)
        """,
}
FOUND = {
    "no branch": """
        def forward(self, x):
            y = self.weight * x
            return F.interpolate(y, size=4, mode="linear")  # HERE
        """,
    "a condition that the rank decides": """
        def forward(self, x):
            y = self.weight * x
            if y.dim() < 5:
                return y
            return F.interpolate(y, size=4, mode="linear")  # HERE
        """,
    "a size in a branch": """
        def forward(self, x, kind):
            y = self.weight * x
            if kind == "volume":
                return y + torch.zeros(32, 1, 1, 1)  # HERE
            return y
        """,
    "a known rank in a branch": """
        def forward(self, x, kind):
            y = self.weight * torch.ones(2, 64, 3, 3, 3)
            if kind == "row":
                return F.interpolate(y, size=4, mode="linear")  # HERE
            return y
        """,
}


def _program(folder: Path, method: str) -> tuple[Path, str]:
    return lines_of(folder, NET + textwrap.indent(textwrap.dedent(method), "    "))


@pytest.mark.parametrize("method", QUIET.values(), ids=QUIET)
def test_a_branch_may_be_for_another_rank(method: str, tmp_path: Path) -> None:
    assert check([_program(tmp_path, method)[0]], codes=CODES) == []


@pytest.mark.parametrize("method", FOUND.values(), ids=FOUND)
def test_a_refusal_for_another_reason_or_of_every_rank_is_reported(method: str, tmp_path: Path) -> None:
    path, text = _program(tmp_path, method)
    assert [text.splitlines()[one.line - 1].endswith("# HERE") for one in check([path], codes=CODES)] == [True]
