"""Jupyter notebooks as Python source: the code cells one after the other, as the kernel runs them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SUFFIX = ".ipynb"
_MAGIC = re.compile(r"^\s*(?:[%!]|\?|.*\?\s*$)")
_CELL_MAGIC = re.compile(r"^\s*%%(?!time\b|timeit\b|capture\b)")
_ASSIGNED = re.compile(r"^(?P<target>\s*[\w, ]+=\s*)[%!].*$")


class NotebookError(ValueError):
    """A file is not a notebook."""


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among all cells, from 1, and the line of the source where it begins, from 1."""

    number: int
    first: int
    count: int


def cells_of(sources: Sequence[tuple[int, str]]) -> tuple[str, list[Cell]]:
    """The Python source of code cells, given by number and text, and where each begins."""
    text, cells, line = [], [], 1
    for number, source in sources:
        code = as_python(source)
        count = code.count("\n") + 1
        cells.append(Cell(number, line, count))
        text.append(code)
        line += count
    return "".join(f"{one}\n" for one in text), cells


def as_python(source: str) -> str:
    """The text of a cell with what only IPython understands blanked; every line stays where it is."""
    lines = source.split("\n")
    first = next((one for one in lines if one.strip()), "")
    if _CELL_MAGIC.match(first):
        return "\n" * (len(lines) - 1)
    return "\n".join(map(_line, lines))


def _line(text: str) -> str:
    assigned = _ASSIGNED.match(text)
    if assigned is not None:
        return f"{assigned['target']}..."
    if not _MAGIC.match(text) or text.lstrip().startswith("#"):
        return text
    indent = text[: len(text) - len(text.lstrip())]
    return f"{indent}pass"


def read(raw: bytes) -> tuple[str, list[Cell]]:
    """The Python source of a notebook file; raises NotebookError."""
    try:
        content = json.loads(raw)
        found = [(number, _text(one)) for number, one in enumerate(content["cells"], 1) if one["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise NotebookError(f"not a notebook: {' '.join(str(error).split())}") from error
    return cells_of(found)


def _text(cell: dict[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)
