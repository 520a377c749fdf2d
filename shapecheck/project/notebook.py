"""Jupyter notebooks as Python source: the code cells one after the other, as the kernel runs them."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shapecheck.diagnostics import Diagnostic
from shapecheck.lazy_pattern import lazy_pattern

SUFFIX = ".ipynb"
_MAGIC = lazy_pattern(r"^\s*(?:[%!]|\?|.*\?\s*$)")
_CELL_MAGIC = lazy_pattern(r"^\s*%%(?!time\b|timeit\b|capture\b)")
_ASSIGNED = lazy_pattern(r"^(?P<target>\s*[\w, ]+=\s*)[%!].*$")


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
    return source if _is_python(source) else "\n".join(_blanked(lines))


def _is_python(source: str) -> bool:
    """Whether a cell is Python as it is: then a line that begins with `%` continues an expression."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _blanked(lines: Sequence[str]) -> Iterator[str]:
    continues = False
    for one in lines:
        made = "" if continues else _line(one)
        continues = (continues or made != one) and one.rstrip().endswith("\\")
        yield made


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
    return cells_of(code_cells(raw))


def code_cells(raw: bytes) -> list[tuple[int, str]]:
    """The code cells of a notebook, by number and text; none if its kernel runs another language."""
    try:
        content = json.loads(raw)
        if "cells" not in content and "worksheets" in content:
            raise NotebookError("notebooks before version 4 are not supported; run `jupyter nbconvert --to notebook`")
        cells = enumerate(content["cells"], 1)
        found = [(number, _text(one)) for number, one in cells if one["cell_type"] == "code"]
        return found if _language(content) in ("", "python") else []
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, NotebookError):
            raise
        raise NotebookError(f"not a notebook: {' '.join(str(error).split())}") from error


def _language(content: dict[str, Any]) -> str:
    """The language of the kernel in lower case; empty if the notebook does not say."""
    metadata = content.get("metadata", {})
    named = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get("language")
    return str(named or "").lower()


def _text(cell: dict[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def in_cells(
    diagnostics: Iterable[Diagnostic], given: Mapping[str, Sequence[Cell]] | None = None
) -> Iterator[Diagnostic]:
    """The findings, those in notebooks at `a.ipynb:cell 3` and the line of that cell.

    given: the cells of notebooks that were changed since, by path.
    """
    known = dict(given or {})
    for one in diagnostics:
        path, line, shift = _in_cell(known, one.path, one.line)
        notes = one.notes
        if any(note.path.endswith(SUFFIX) for note in notes):
            places = [_in_cell(known, note.path, note.line) for note in notes]
            notes = tuple(replace(note, path=at[0], line=at[1]) for note, at in zip(notes, places, strict=True))
        is_same = path == one.path and notes is one.notes
        yield one if is_same else replace(one, path=path, line=line, end_line=one.end_line - shift, notes=notes)


def _in_cell(known: dict[str, Sequence[Cell]], path: str, line: int) -> tuple[str, int, int]:
    """The path and the line in a cell, and by how much the line differs."""
    if not path.endswith(SUFFIX):
        return path, line, 0
    if path not in known:
        try:
            known[path] = read(Path(path).read_bytes())[1]
        except (OSError, NotebookError):
            known[path] = []
    for cell in known[path]:
        if cell.first <= line < cell.first + cell.count:
            return f"{path}:cell {cell.number}", line - cell.first + 1, cell.first - 1
    return path, line, 0


def made_of(source: str) -> bytes:
    """A notebook whose only cell has this source."""
    return json.dumps({"cells": [{"cell_type": "code", "source": source}]}).encode()
