"""`b, n, d = q.shape` and `b, m, d = k.shape`: two tensors with the same b and d."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported


def shapes(tmp_path: Path, statements: str) -> list[str]:
    """What reveal_shape shows of q after the statements."""
    program = f"""
from shapecheck import reveal_shape

def function(q, k):
{statements}
    reveal_shape(q.reshape(b, -1, d))
"""
    return [message for _, code, message in reported(tmp_path, program) if code == "revealed-shape"]


EQUAL = {
    "other lengths": "    b, n, d = q.shape\n    b, m, d = k.shape",
    "methods": "    b, n, d = q.size()\n    b, m, d = k.size()",
    "in a block": "    if True:\n        b, n, d = q.shape\n        b, m, d = k.shape",
}
UNEQUAL = {
    "the same names": "    b, n, d = q.shape\n    b, n, d = k.shape",
    "an ignored name": "    b, n, d = q.shape\n    b, _, d = k.shape",
    "a statement between": "    b, n, d = q.shape\n    rows = b * n\n    b, m, d = k.shape",
    "the same tensor": "    b, n, d = q.shape\n    b, m, d = q.flip(1).shape",
    "another number of names": "    b, n, d = q.shape\n    b, m, e, d = k.shape",
}


@pytest.mark.parametrize("statements", EQUAL.values(), ids=EQUAL)
def test_sizes_with_repeated_names_are_equal(tmp_path: Path, statements: str) -> None:
    assert shapes(tmp_path, statements) == ["(b, n, d)"]


@pytest.mark.parametrize("statements", UNEQUAL.values(), ids=UNEQUAL)
def test_others_may_differ(tmp_path: Path, statements: str) -> None:
    assert shapes(tmp_path, statements) != ["(b, n, d)"]


def test_known_sizes_are_not_compared(tmp_path: Path) -> None:
    program = """
def pair(q, k):
    b, n, d = q.shape
    b, m, d = k.shape
    return q.new_zeros(n, d) @ k.new_zeros(d, m)

def function():
    return pair(torch.zeros(2, 3, 4), torch.zeros(3, 4, 5))
"""
    assert reported(tmp_path, program) == []


def test_heads_that_are_merged_in_another_order(tmp_path: Path) -> None:
    """The sizes cancel only if the width of the queries is that of the values."""
    program = """
class Attention(nn.Module):
    def __init__(self, heads, width, size):
        super().__init__()
        self.heads, self.size = heads, size
        self.weight = nn.Parameter(torch.randn(heads, width, size))

    def forward(self, q, k):
        b, n, width = q.size()
        b, m, width = k.size()
        rows = q.repeat(self.heads, 1, 1).view(self.heads, -1, width)
        keys = torch.bmm(k.repeat(self.heads, 1, 1).view(self.heads, -1, width), self.weight)
        rows = torch.bmm(rows, self.weight).view(-1, n, self.size)
        return rows.view(b, n, -1), keys  # HERE
"""
    (found,) = reported(tmp_path, program)
    assert found[:2] == (place(program), "axis-order")
