"""Places in files: their lines and columns, their text, and notes at them."""

from __future__ import annotations

import ast

from shapecheck.diagnostics import Note
from shapecheck.static.engine.loading import SourceModule

_LONGEST = 60


class Place:
    """A node in a module."""

    __slots__ = ("loaded", "node")

    def __init__(self, loaded: SourceModule, node: ast.AST) -> None:
        self.loaded = loaded
        self.node = node


def span(loaded: SourceModule, node: ast.AST) -> tuple[int, int, int, int]:
    """Lines and columns from 1, in code points; the end column is exclusive."""
    source = loaded.source
    line, end_line = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if line is None or end_line is None:
        return 1, 1, 1, 1
    column = source.column(line, getattr(node, "col_offset", 0)) + 1
    end_column = source.column(end_line, getattr(node, "end_col_offset", None) or 0) + 1
    return line, column, end_line, max(end_column, column) if end_line == line else end_column


def note_at(loaded: SourceModule, node: ast.AST, message: str) -> Note:
    """A note at a place."""
    line, column, _, _ = span(loaded, node)
    return Note(loaded.source.display, line, column, message)


def text_of(node: ast.AST) -> str:
    """The text of a node if it is short and on one line; else an empty string."""
    try:
        text = ast.unparse(node)
    except (ValueError, RecursionError):
        return ""
    return text if len(text) <= _LONGEST and "\n" not in text else ""


def with_text(message: str, node: ast.AST) -> str:
    """The message followed by a colon and the text of a node, if that is short."""
    text = text_of(node)
    return f"{message}: {text}" if text else message
