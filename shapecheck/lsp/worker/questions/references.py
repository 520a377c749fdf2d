"""The references of a dimension: where a size is written, passed on, and part of the shape of a tensor."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from shapecheck.editing.files import Analysis
from shapecheck.lsp.messages import Question
from shapecheck.lsp.worker.axis_names import Function, axes_at, axis_names
from shapecheck.lsp.worker.entries import observe, until_late, using
from shapecheck.lsp.worker.probe import evaluated
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.lsp.worker.syntax import At, at
from shapecheck.lsp.worker.uses import Dimension, NamedSize, SizeUses, Use, WrittenSize
from shapecheck.static.engine.places import span

_SECONDS = 3.0
_WRITTEN = re.compile(r"\w+(?:\.\w+)*")
Place = tuple[str, int, int, int, int]
"""A path, and a range from 1, the end exclusive."""


def answer(project: EditedProject, question: Question) -> list[dict[str, Any]]:
    """The places, those of the document first; of a tensor, which has several dimensions, none."""
    path = Path(question.path)
    analysis = project.analyses.get(path)
    if analysis is None:
        return []
    place = at(analysis.module, question.line, question.column)
    found: dict[Use, set[Dimension]] = {}
    tensors: set[ast.AST] = set()
    for one, entry in until_late(using(project, path), _SECONDS):
        uses = SizeUses(entry[0])
        observe(one, entry, uses)
        tensors |= uses.tensors
        for use, dimensions in uses.found.items():
            found.setdefault(use, set()).update(dimensions)
    sizes = {use: every for use, every in found.items() if use[1] not in tensors or len(every) == 1}
    wanted = _wanted(analysis, place, question, sizes)
    declared = {place for one in wanted if isinstance(one, WrittenSize) for place in _declaration(analysis, one)}
    places = declared | set(_uses(analysis, found, wanted))
    if not question.about.get("declaration"):
        places -= declared
    return [_as_json(one) for one in sorted(places, key=lambda one: (one[0] != str(path), one))]


def _wanted(analysis: Analysis, place: At, question: Question, found: dict[Use, set[Dimension]]) -> set[Dimension]:
    """The dimensions of the size at a place."""
    named = axes_at(analysis.module, place, question.line, question.column)
    if named is not None:
        function, name = named
        return set() if name is None else {NamedSize(function, name.name)}
    node = place.expression
    nodes = {node, evaluated(place)}
    own = {one for (_, at_node), every in found.items() if at_node in nodes for one in every}
    is_here = _written_here(analysis, place, node)
    return own or {one for every in found.values() for one in every if isinstance(one, WrittenSize) and is_here(one)}


def _written_here(analysis: Analysis, place: At, node: ast.AST | None) -> Callable[[WrittenSize], bool]:
    """Whether a number comes from the place: a default, an assigned name or an argument."""
    around = [one for one in place.path[-3:] if isinstance(one, (ast.arg, ast.keyword, ast.Name, ast.Assign, ast.Call))]
    if isinstance(place.parent, ast.arguments):
        around += _with_default(place.parent, node)
    starts = {span(analysis.module, one)[:2] for one in (*around, node) if one is not None}
    value = node.value if isinstance(node, ast.Constant) else None
    display = analysis.module.source.display

    def here(one: WrittenSize) -> bool:
        return one.path == display and (one.line, one.column) in starts and value in (None, one.size)

    return here


def _with_default(arguments: ast.arguments, default: ast.AST | None) -> list[ast.arg]:
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(reversed(positional), reversed(arguments.defaults), strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return [one for one, value in pairs if value is default]


def _uses(analysis: Analysis, found: dict[Use, set[Dimension]], wanted: set[Dimension]) -> Iterator[Place]:
    for one in wanted:
        if isinstance(one, NamedSize) and isinstance(one.scope, Function):
            for axis in axis_names(analysis.module, one.scope):
                if axis.name == one.text:
                    yield str(analysis.path), *axis.place
    for (module, node), every in found.items():
        if every & wanted:
            line, column, end_line, end_column = span(module, node)
            if isinstance(node, ast.arg):
                end_line, end_column = line, column + len(node.arg)
            yield str(module.path), line, column, end_line, end_column


def _declaration(analysis: Analysis, one: WrittenSize) -> Iterator[Place]:
    """Where a number is written: the name that gets it, or the call."""
    module = analysis.checker.project.load(Path(one.path).absolute())
    if module is not None:
        text = module.source.lines[one.line - 1]
        name = _WRITTEN.match(text, one.column - 1)
        yield str(module.path), one.line, one.column, one.line, name.end() + 1 if name else one.column


def _as_json(place: Place) -> dict[str, Any]:
    path, line, column, end_line, end_column = place
    return {"path": path, "line": line, "column": column, "end_line": end_line, "end_column": end_column}
