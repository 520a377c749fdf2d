"""The table of the cases: on a terminal, columns are left out and no line is broken."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from shapecheck.harness.show.table import Column, print_table

COLUMNS = [
    Column("case", ["score:Score", "pool:Pool"]),
    Column("outcome", ["failed", "passed"]),
    Column("checks", ["14 passed, 1 failed", "15 passed"], rank=1),
    Column("output", ["torch.float32 (3, 1)", "torch.float32 (3, 32)"], rank=3),
    Column("FLOPs", ["48", "12345"], rank=2, right=True),
]


def lines(width: int) -> list[str]:
    stream = io.StringIO()
    print_table(COLUMNS, Console(file=stream, width=width, force_terminal=True, color_system=None))
    return [line for line in stream.getvalue().splitlines() if line.strip(" ─")]


@pytest.mark.parametrize("width", range(24, 90))
def test_each_row_is_one_line(width: int) -> None:
    head, *rows = lines(width)
    assert head.split()[:2] == ["case", "outcome"]
    assert [row.split()[:2] for row in rows] == [["score:Score", "failed"], ["pool:Pool", "passed"]]


def test_more_room_shows_more_columns() -> None:
    heads = [lines(width)[0].split() for width in range(24, 90)]
    assert [len(head) for head in heads] == sorted(map(len, heads))
    assert heads[-1] == ["case", "outcome", "checks", "output", "FLOPs"]
