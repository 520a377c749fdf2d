"""The axis names in the annotations of functions: `"b t d"` in `Float[Tensor, "b t d"]`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from shapecheck.lsp.worker.syntax import At
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.places import span

Function = ast.FunctionDef | ast.AsyncFunctionDef
_NAME = re.compile(r"[^\W\d]\w*")
_OPENING = re.compile(r"""[rbuRBU]*(?:'''|\"\"\"|'|")""")


@dataclass(frozen=True)
class AxisName:
    """A name in the string of an annotation; its place is from 1, the end exclusive."""

    name: str
    place: tuple[int, int, int, int]


def axes_at(module: SourceModule, place: At, line: int, column: int) -> tuple[Function, AxisName | None] | None:
    """The function whose annotation is at a place, and the name there; None outside of such strings."""
    string = place.path[-1]
    for one in reversed(place.path):
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if not any(string is node for node in _strings(one)):
                return None
            names = (name for name in _names(module, string) if name.place[0] == line)
            found = (name for name in names if name.place[1] <= column <= name.place[3])
            return one, next(found, None)
    return None


def axis_names(module: SourceModule, function: Function) -> Iterator[AxisName]:
    """The names in the strings of the annotations of a function and of the variables in it."""
    for one in _strings(function):
        yield from _names(module, one)


def _strings(function: Function) -> Iterator[ast.Constant]:
    inner = (one.annotation for one in ast.walk(function) if isinstance(one, ast.AnnAssign))
    arguments = (one.node.annotation for one in parameters_of(function.args))
    for annotation in (*arguments, function.returns, *inner):
        for one in ast.walk(annotation) if annotation is not None else ():
            if isinstance(one, ast.Subscript):
                yield from (node for node in ast.walk(one.slice) if isinstance(node, ast.Constant) and _is_text(node))


def _is_text(node: ast.Constant) -> bool:
    return isinstance(node.value, str)


def _names(module: SourceModule, string: ast.AST) -> Iterator[AxisName]:
    line, column, end_line, end_column = span(module, string)
    if line != end_line:
        return
    text = module.source.lines[line - 1][: end_column - 1]
    opening = _OPENING.match(text, column - 1)
    for one in _NAME.finditer(text, opening.end() if opening else column):
        yield AxisName(one[0], (line, one.start() + 1, line, one.end() + 1))
