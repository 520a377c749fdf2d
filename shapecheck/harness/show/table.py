"""Tables: for terminals, dropping columns rather than breaking lines, and for files, with short lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

_GAP = 2
_BETWEEN = _GAP + 1
"""Cells between two columns of a table on a terminal: the gap, and one for a rule."""


@dataclass(frozen=True)
class Column:
    """A title and a cell for each row. rank: the highest is dropped first if the terminal is narrow; 0 is kept."""

    title: str
    cells: Sequence[str]
    rank: int = 0
    right: bool = False
    styles: Sequence[str] = ()

    @property
    def width(self) -> int:
        """Its width in cells of a terminal."""
        return max(cell_len(text) for text in (self.title, *self.cells))

    @property
    def empty(self) -> bool:
        """Whether all its cells are empty."""
        return not any(self.cells)


def print_table(columns: Sequence[Column], console: Console) -> None:
    """Print the non-empty columns that fit the width."""
    columns = [column for column in columns if not column.empty]
    if not console.is_terminal:
        for line in _plain(columns):
            console.print(Text(line), soft_wrap=True)
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold", show_edge=False)
    shown = _fitting(columns, console.width)
    for column in shown:
        table.add_column(
            Text(column.title),
            justify="right" if column.right else "left",
            no_wrap=column.rank > 0,
            overflow="fold",
        )
    for row in range(len(columns[0].cells)):
        table.add_row(*(_cell(column, row) for column in shown))
    console.print(table)


def _cell(column: Column, row: int) -> Text:
    return Text(column.cells[row], style=column.styles[row] if column.styles else "")


def _fitting(columns: Sequence[Column], width: int) -> list[Column]:
    """The columns that fit the width; the one with the highest rank is dropped first."""
    shown = list(columns)
    while sum(column.width + _BETWEEN for column in shown) - 1 > width:
        last = max(shown, key=lambda column: column.rank)
        if not last.rank:
            break
        shown.remove(last)
    return shown


def _plain(columns: Sequence[Column]) -> Iterator[str]:
    for row in range(-1, len(columns[0].cells)):
        yield (" " * _GAP).join(_aligned(column, row) for column in columns).rstrip()


def _aligned(column: Column, row: int) -> str:
    text = column.title if row < 0 else column.cells[row]
    blank = " " * (column.width - cell_len(text))
    return blank + text if column.right else text + blank
