"""What is at a place of a document: the expression, and the definitions around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from shapecheck.static.engine.loading import SourceModule

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_SHOWN = (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript, ast.UnaryOp, ast.arg, ast.Constant)


@dataclass(frozen=True)
class At:
    """A place in a tree."""

    path: tuple[ast.AST, ...]
    """The nodes around it, from the module down."""

    @property
    def expression(self) -> ast.expr | ast.arg | None:
        """The innermost expression; for the name of a method in a call, the call."""
        for one in reversed(self.path):
            if isinstance(one, _SHOWN):
                return one
            if isinstance(one, ast.stmt):
                return None
        return None

    @property
    def parent(self) -> ast.AST | None:
        """What contains the expression."""
        places = [number for number, one in enumerate(self.path) if one is self.expression]
        return self.path[places[0] - 1] if places else None

    @property
    def statement(self) -> ast.stmt | None:
        """The innermost statement."""
        return next((one for one in reversed(self.path) if isinstance(one, ast.stmt)), None)

    @property
    def function(self) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The innermost function."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return next((one for one in reversed(self.path) if isinstance(one, kinds)), None)

    @property
    def definitions(self) -> list[Definition]:
        """The classes and functions around it, the outermost first."""
        return [one for one in self.path if isinstance(one, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))]


def at(loaded: SourceModule, line: int, column: int, *, before: bool = False) -> At:
    """What is at a place, from 1; with `before`, what ends there."""
    source = loaded.source
    text = source.lines[line - 1] if line <= len(source.lines) else ""
    offset = len(text[: column - 1].encode())
    if before:
        offset -= 1
    path: list[ast.AST] = [loaded.tree]
    while (inner := next(_around(path[-1], line, offset), None)) is not None:
        path.append(inner)
    return At(tuple(path))


def _around(node: ast.AST, line: int, offset: int) -> Iterator[ast.AST]:
    """The children of a node that cover a place; those without a place of their own are looked into."""
    for child in ast.iter_child_nodes(node):
        if getattr(child, "lineno", None) is None:
            if next(_around(child, line, offset), None) is not None:
                yield child
            continue
        end = getattr(child, "end_lineno", None), getattr(child, "end_col_offset", None)
        if _start(child) <= (line, offset) < end or (_start(child) <= (line, offset) == end and _is_statement(child)):
            yield child


def _start(node: ast.AST) -> tuple[int, int]:
    """The beginning of a node, with its decorators."""
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([(line, column), *((one.lineno, 0) for one in decorators)])


def _is_statement(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt)
