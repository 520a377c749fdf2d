"""Source of a notebook that can be changed and written back: every byte outside of the changed cells stays as it is.

Comments mark where each cell begins, and the lines that only IPython understands, so that nothing has to be guessed.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.notebook import Cell, NotebookError, as_python, code_cells

_DECODER = json.JSONDecoder(strict=False)
_SPACE = " \t\r\n"
_LINE = lazy_pattern(r"[^\n]*\n|[^\n]+")
_CELL = lazy_pattern(r"# <shapecheck cell (\d+)>")
_ORIGINAL = lazy_pattern(r".*# <shapecheck line (\d+)>")
Span = tuple[int, int]


class ChangedCell(NamedTuple):
    """A code cell whose source changes: its number among all cells, from 1."""

    number: int
    old: str
    new: str


def marked(raw: bytes) -> tuple[str, list[Cell]]:
    """The Python source of a notebook with comments that mark its cells, and where each begins behind its mark."""
    lines: list[str] = []
    cells = []
    for number, source in code_cells(raw):
        own = source.split("\n")
        python = as_python(source).split("\n")
        lines.append(f"# <shapecheck cell {number}>")
        cells.append(Cell(number, len(lines) + 1, len(own)))
        for index, (old, new) in enumerate(zip(own, python, strict=True)):
            lines.append(old if old == new else f"{new}  # <shapecheck line {index}>".lstrip(" " if not new else ""))
    return "".join(f"{one}\n" for one in lines), cells


def with_text(raw: bytes, text: str) -> bytes:
    """The notebook with other marked source; raises NotebookError if that cannot be divided among the cells."""
    content = raw.decode("utf-8-sig")
    spans = list(_source_spans(content))
    parts, done = [], 0
    for one in changed_cells(raw, text):
        start, end = spans[one.number - 1]
        parts += [content[done:start], _literal(content[start:end], one.new, ascii_only=content.isascii())]
        done = end
    mark = raw[: len(raw) - len(content.encode())]
    return mark + "".join([*parts, content[done:]]).encode()


def changed_cells(raw: bytes, text: str) -> list[ChangedCell]:
    """The cells that other marked source changes; raises NotebookError."""
    sources = code_cells(raw)
    made: dict[int, list[str]] = {}
    above: list[str] = []
    """What is above the first mark becomes the beginning of the first cell."""
    own = above
    for line in text.removesuffix("\n").split("\n"):
        begins = _CELL.fullmatch(line)
        if begins is None:
            own.append(line)
        else:
            own = made.setdefault(int(begins[1]), above if own is above and not made else [])
    if list(made) != [number for number, _ in sources]:
        raise NotebookError("the change spans two cells")
    found = (ChangedCell(number, source, _unmarked(source, made[number])) for number, source in sources)
    return [one for one in found if one.new != one.old]


def _unmarked(source: str, lines: Sequence[str]) -> str:
    """The lines of a cell with what only IPython understands in its place."""
    original = source.split("\n")
    marks = [(line, found) for line in lines if (found := _ORIGINAL.fullmatch(line)) is not None]
    python = as_python(source).split("\n")
    expected = [index for index, (old, new) in enumerate(zip(original, python, strict=True)) if old != new]
    if [int(found[1]) for _, found in marks] != expected:
        raise NotebookError("the change would replace a line that only IPython understands")
    if len(expected) == len(original) and len(lines) > len(original) and not any(python):
        raise NotebookError("the change would add Python to a cell of another language")
    known = {line: original[int(found[1])] for line, found in marks}
    return "\n".join(known.get(one, one) for one in lines)


def diff_of_cells(display: str, changed: Sequence[ChangedCell]) -> str:
    """A unified diff for each cell that changes."""
    parts = []
    for one in changed:
        name = f"{display}:cell {one.number}"
        old, new = (source.splitlines() for source in (one.old, one.new))
        parts += [f"{line}\n" for line in difflib.unified_diff(old, new, name, name, lineterm="")]
    return "".join(parts)


def _source_spans(content: str) -> Iterator[Span]:
    """Where the source of each cell is, in the text of the file."""
    for name, start, _ in _members(content, _after_space(content, 0)):
        if name == "cells":
            for cell, _ in _items(content, start):
                yield next((begin, end) for key, begin, end in _members(content, cell) if key == "source")


def _members(content: str, at: int) -> Iterator[tuple[str, int, int]]:
    """The names and the values of an object."""
    at = _after_space(content, at + 1)
    while content[at] != "}":
        name, at = _DECODER.raw_decode(content, at)
        start = _after_space(content, _after_space(content, at) + 1)
        _, end = _DECODER.raw_decode(content, start)
        yield name, start, end
        at = _after_comma(content, end)


def _items(content: str, at: int) -> Iterator[Span]:
    """The items of an array."""
    at = _after_space(content, at + 1)
    while content[at] != "]":
        _, end = _DECODER.raw_decode(content, at)
        yield at, end
        at = _after_comma(content, end)


def _after_space(content: str, at: int) -> int:
    while content[at] in _SPACE:
        at += 1
    return at


def _after_comma(content: str, at: int) -> int:
    at = _after_space(content, at)
    return _after_space(content, at + 1) if content[at] == "," else at


def _literal(old: str, source: str, *, ascii_only: bool) -> str:
    """The source as JSON in the form of the old one: a string, or lines laid out as they were."""
    if not old.startswith("["):
        return json.dumps(source, ensure_ascii=ascii_only)
    spans = list(_items(old, 0))
    texts = [old[start:end] for start, end in spans]
    written = {_DECODER.decode(one): one for one in texts}
    lines = _LINE.findall(source)
    made = [written.get(one) or json.dumps(one, ensure_ascii=ascii_only) for one in lines]
    before, after = old[: spans[0][0]] if spans else "[", old[spans[-1][1] :] if spans else "]"
    between = old[spans[0][1] : spans[1][0]] if len(spans) > 1 else f",{before[1:] or ' '}"
    return before + between.join(made) + after
