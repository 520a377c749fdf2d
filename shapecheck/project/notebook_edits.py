"""Writes changed source into the cells of a notebook: every byte outside of the changed cells stays as it is."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from shapecheck.project.notebook import Cell, NotebookError, cells_of, code_cells

_DECODER = json.JSONDecoder(strict=False)
_SPACE = " \t\r\n"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
Span = tuple[int, int]


@dataclass(frozen=True)
class ChangedCell:
    """A code cell whose source changes: its number among all cells, from 1."""

    number: int
    old: str
    new: str


def with_text(raw: bytes, text: str) -> bytes:
    """The notebook with other Python source; raises NotebookError if that cannot be divided among the cells."""
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
    """The cells that other Python source changes; raises NotebookError."""
    sources = code_cells(raw)
    before, cells = cells_of(sources)
    originals = [line for _, source in sources for line in source.split("\n")]
    old, new = before.split("\n")[:-1], text.split("\n")[:-1]
    lines: list[list[str]] = [[] for _ in cells]
    owners = [index for index, cell in enumerate(cells) for _ in range(cell.count)]
    for tag, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            for number in range(start, end):
                lines[owners[number]].append(originals[number])
            continue
        if old[start:end] != originals[start:end]:
            raise NotebookError("the change would replace a line that only IPython understands")
        lines[_cell_of(cells, owners, originals, old, (start, end))] += new[first:last]
    found = zip(sources, lines, strict=True)
    return [ChangedCell(number, source, made) for (number, source), own in found if (made := "\n".join(own)) != source]


def _cell_of(
    cells: Sequence[Cell], owners: Sequence[int], originals: Sequence[str], old: Sequence[str], change: Span
) -> int:
    """The cell that a change belongs to: an insertion to that of the line above it."""
    start, end = change
    touched = set(owners[start:end]) or {owners[max(start - 1, 0)]}
    if len(touched) > 1:
        raise NotebookError("the change spans two cells")
    (index,) = touched
    first = cells[index].first - 1
    span = slice(first, first + cells[index].count)
    if not any(old[span]) and any(originals[span]):
        raise NotebookError("the change would add Python to a cell of another language")
    return index


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
