"""The fields of a dataclass or a NamedTuple, checked at construction; they share one set of axis names."""

from __future__ import annotations

import ast

from shapecheck.spec import Bindings, ShapeError
from shapecheck.spec.presentation import quoted
from shapecheck.static.contracts.annotation_types import ANYTHING, InstanceOf
from shapecheck.static.contracts.contract import field_types, mentions_axes
from shapecheck.static.contracts.instantiation import AxisInstances, instantiate_annotation, narrow_to_annotation
from shapecheck.static.contracts.matching import matched
from shapecheck.static.contracts.violations import report_violation
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue
from shapecheck.static.engine.run import Run


def checked_fields(run: Run, node: ast.AST | None, cls: ClassValue, values: dict[str, Value]) -> dict[str, Value]:
    """Returns the fields, narrowed by their annotations; the first violation is a finding at the call."""
    if not mentions_axes(run, InstanceOf(cls)):
        return values
    kinds = field_types(run, cls)
    bindings = Bindings()
    violating: set[str] = set()
    for name, value in values.items():
        try:
            bindings = matched(kinds.get(name, ANYTHING), value, bindings)
        except ShapeError as refusal:
            if node is not None and not violating:
                report_violation(run, node, f"field {quoted(name)} of {cls.node.name}", refusal)
            violating.add(name)
    axes = AxisInstances(bindings=bindings)
    for name, value in list(values.items()):
        kind = kinds.get(name, ANYTHING)
        if name in violating:
            values = {**values, name: instantiate_annotation(run, kind, axes, name)}
        elif mentions_axes(run, kind):
            values = {**values, name: narrow_to_annotation(run, kind, value, axes, name)}
    return values
