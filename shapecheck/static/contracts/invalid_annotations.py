"""Axis strings that jaxtyping rejects at import time, and those that no tensor can match."""

from __future__ import annotations

import ast

from shapecheck.project.tree_walk import walk
from shapecheck.spec import AnnotationError
from shapecheck.spec.annotation import DTYPE_CLASSES, Symbolic, parse_axes
from shapecheck.static.contracts.name_resolution import AnnotationScope, resolve_name
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run


def report_invalid_annotations(run: Run, names: Namespace) -> None:
    """Reports each malformed axis of the annotations in a module, at its column in the axis string."""
    loaded = names.loaded
    if "jaxtyping" not in loaded.text:
        return
    scope = AnnotationScope(run, names)
    with run.inside(Frame(names)):
        for node in walk(loaded.tree):
            axes = _axes(node)
            if axes is not None and isinstance(node, ast.Subscript) and _is_jaxtyping(scope, node.value):
                refusal = _refusal(str(axes.value))
                if refusal is not None:
                    run.report("wrong-annotation", _at(loaded.text, axes, refusal.column), str(refusal))


def _refusal(text: str) -> AnnotationError | None:
    try:
        patterns = parse_axes(text)
    except AnnotationError as refusal:
        return refusal
    problems = (one.problem for one in patterns if isinstance(one, Symbolic))
    return next((problem for problem in problems if problem is not None), None)


def _axes(node: ast.AST) -> ast.Constant | None:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
        axes = node.slice.elts[1]
        if isinstance(axes, ast.Constant) and isinstance(axes.value, str):
            return axes
    return None


def _is_jaxtyping(scope: AnnotationScope, base: ast.expr) -> bool:
    value = resolve_name(scope, base)
    package, _, name = value.name.rpartition(".") if isinstance(value, ExternalReference) else ("", "", "")
    return package == "jaxtyping" and name in DTYPE_CLASSES


def _at(text: str, axes: ast.Constant, column: int) -> ast.Constant:
    """A node for the string from a column on; the string itself if it is not a plain literal on one line."""
    written = ast.get_source_segment(text, axes) or ""
    if written[1:-1] != axes.value:
        return axes
    part = ast.Constant(axes.value)
    ast.copy_location(part, axes)
    part.col_offset += 1 + len(written[1 : 1 + column].encode())
    return part
