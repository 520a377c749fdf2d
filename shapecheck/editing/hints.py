"""The shapes that hints show: of assigned tensors, and of the parameters and results of functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from shapecheck.editing.files import Analysis
from shapecheck.editing.hint import Hint
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.source import SourceFile
from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.observing.editor_observer import Returned
from shapecheck.static.observing.observer import Function, precision_of

_MOST = 2
"""Different shapes at one place; more are not shown."""
_NAME = re.compile(r"[^\W\d]\w*")
_MADE_UP = re.compile(r"\bd\d+\b")
"""Names that the analysis gives to sizes for lack of others."""
_TELLING = re.compile(r"\w|\(\)")
"""Something besides `?` and `...`, or a scalar."""
_SHAPED = re.compile(r"""['"]""")
"""In an annotation, the axes of jaxtyping."""


def hints_of(analysis: Analysis) -> list[Hint]:
    """The hints of a document, in its order."""
    tree, source = analysis.module.tree, analysis.module.source
    places = (node for statement in tree.body for node in _places(statement))
    found = [hint for node in places for hint in _at(analysis, source, node)]
    return sorted(found, key=lambda one: (one.line, one.column))


@cached_on_node
def _places(statement: ast.stmt) -> tuple[ast.AST, ...]:
    """The nodes of a statement that may have a hint."""
    return tuple(
        one
        for one in walk(statement)
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))
        or (isinstance(one, (ast.Name, ast.Attribute)) and isinstance(one.ctx, ast.Store))
    )


def _at(analysis: Analysis, source: SourceFile, node: ast.AST) -> Iterator[Hint]:
    watch = analysis.watch
    if isinstance(node, (ast.Name, ast.Attribute)):
        yield from _hint(source, node, watch.bound.get(node, ()), "assigned")
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for one in parameters_of(node.args):
            if not _states_shape(one.node.annotation):
                yield from _hint(source, one.node, watch.parameters.get(one.node, ()), "parameter")
        if not _states_shape(node.returns):
            yield from _result(source, node, watch.results.get(node, ()))


def _states_shape(annotation: ast.expr | None) -> bool:
    return annotation is not None and _SHAPED.search(ast.unparse(annotation)) is not None


def _hint(source: SourceFile, node: ast.expr | ast.arg, tensors: Iterable[TensorSpec], kind: str) -> Iterator[Hint]:
    shown = _shown([(one,) for one in tensors])
    if shown is not None and node.end_lineno is not None and node.end_col_offset is not None:
        column = source.column(node.end_lineno, node.end_col_offset) + 1
        yield Hint(node.end_lineno, column, *shown, kind)


def _result(source: SourceFile, node: Function, results: Iterable[Returned]) -> Iterator[Hint]:
    shown = _shown([one if isinstance(one, tuple) else (one,) for one in results])
    place = None if shown is None else _end_of_signature(source, node)
    if shown is not None and place is not None:
        yield Hint(*place, *shown, "result")


def _shown(alternatives: list[tuple[TensorSpec, ...]]) -> tuple[list[str], str] | None:
    """The different shapes and the dtype, the most precise first; None if there is nothing to show."""
    known = [one for one in alternatives if any(tensor.rank is not None for tensor in one)] or alternatives
    known.sort(key=lambda one: min(map(precision_of, one)), reverse=True)
    shapes = different(", ".join(str(tensor.shape) for tensor in one) for one in known)
    if not shapes or len(shapes) > _MOST:
        return None
    dtypes = {None if tensor.dtype is None else tensor.dtype.name for one in known for tensor in one}
    (dtype,) = dtypes if len(dtypes) == 1 else (None,)
    return shapes, dtype or ""


def different(texts: Iterable[str]) -> list[str]:
    """The shapes that tell something; of those that differ in names alone, one whose names the program has chosen."""
    found: dict[str, str] = {}
    for text in texts:
        pattern = _without_names(text)
        if _TELLING.search(text) and (pattern not in found or _MADE_UP.search(found[pattern])):
            found[pattern] = text
    return list(found.values())


def _without_names(text: str) -> str:
    """A shape with numbers instead of its names."""
    names: dict[str, int] = {}
    return _NAME.sub(lambda one: f"#{names.setdefault(one[0], len(names))}", text)


def _end_of_signature(source: SourceFile, node: Function) -> tuple[int, int] | None:
    """The place behind the parameters, or the annotation of the result."""
    if node.returns is not None and node.returns.end_lineno is not None:
        end = node.returns.end_col_offset or 0
        return node.returns.end_lineno, source.column(node.returns.end_lineno, end) + 1
    ends = [(one.end_lineno or one.lineno, one.end_col_offset or 0) for one in _nodes(node)]
    line, end = max(ends, default=(node.lineno, node.col_offset))
    column = source.column(line, end)
    while line <= node.body[0].lineno and line <= len(source.lines):
        text = source.lines[line - 1].partition("#")[0]
        at = text.find(")", column)
        if at >= 0:
            return line, at + 2
        line, column = line + 1, 0
    return None


def _nodes(node: Function) -> Iterator[ast.expr | ast.arg]:
    """The parameters and their defaults, whose last one is followed by the parenthesis."""
    yield from (one.node for one in parameters_of(node.args))
    yield from (one for one in (*node.args.defaults, *node.args.kw_defaults) if one is not None)
    yield from (one for one in (node.args.vararg, node.args.kwarg) if one is not None)
