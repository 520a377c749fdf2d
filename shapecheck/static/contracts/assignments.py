"""Annotated assignments: `y: Float[Tensor, "b d"] = f(x)` checks and narrows the value of y."""

from __future__ import annotations

import ast

from shapecheck.spec import Bindings
from shapecheck.static.contracts.annotation_reader import read
from shapecheck.static.contracts.annotation_types import annotations_in
from shapecheck.static.contracts.checked_call import checked_value
from shapecheck.static.contracts.contract import mentions_axes
from shapecheck.static.contracts.name_resolution import AnnotationScope
from shapecheck.static.contracts.size_expressions import hole_values
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue
from shapecheck.static.engine.run import Run


def checked_assignment(run: Run, node: ast.AnnAssign, value: Value) -> Value:
    """Returns the assigned value, checked against the annotation and narrowed by it."""
    if not isinstance(node.annotation, (ast.Subscript, ast.BinOp, ast.Name, ast.Attribute, ast.Constant)):
        return value
    frame = run.frame
    owner = frame.names.fields.get("__class__")
    kind = read(AnnotationScope(run, frame.names, owner if isinstance(owner, ClassValue) else None), node.annotation)
    if not mentions_axes(run, kind):
        return value
    bindings = frame.agreement.bindings if frame.agreement is not None else Bindings()
    holes = [hole for one in annotations_in(kind) for hole in one.holes if hole not in bindings.holes]
    bindings = bindings.with_holes(hole_values(run, holes, {}, frame.names))
    return checked_value(run, node.value or node, kind, value, ast.unparse(node.target), bindings)
