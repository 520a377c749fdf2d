"""The fields of a dataclass or a NamedTuple, checked at construction; they share the axis names that they write."""

from __future__ import annotations

import ast

from shapecheck.spec import Bindings, ShapeError
from shapecheck.spec.presentation import quoted
from shapecheck.static.contracts.annotation_types import ANYTHING, InstanceOf
from shapecheck.static.contracts.contract import field_types, fields_with_aliases, mentions_axes
from shapecheck.static.contracts.instantiation import AxisInstances, instantiate_annotation, narrow_to_annotation
from shapecheck.static.contracts.matching import matched
from shapecheck.static.contracts.violations import report_violation
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.objects import ClassValue
from shapecheck.static.engine.run import Run

_CHECKING = frozenset(("jaxtyped", "typechecked", "beartype", "checked"))


def checked_fields(run: Run, node: ast.AST | None, cls: ClassValue, values: dict[str, Value]) -> dict[str, Value]:
    """Returns the fields, narrowed by their annotations; the first violation is a finding at the call.

    An alias describes a kind of tensor: unless a decorator checks the class, its axis names belong to one field.
    """
    if not mentions_axes(run, InstanceOf(cls)):
        return values
    kinds = field_types(run, cls)
    separate = frozenset() if _is_checked(cls) else fields_with_aliases(cls)
    shared = Bindings()
    own: dict[str, Bindings] = {}
    violating: set[str] = set()
    for name, value in values.items():
        try:
            found = matched(kinds.get(name, ANYTHING), value, Bindings() if name in separate else shared)
        except ShapeError as refusal:
            if node is not None and not violating:
                report_violation(run, node, f"field {quoted(name)} of {cls.node.name}", refusal)
            violating.add(name)
            continue
        if name in separate:
            own[name] = found
        else:
            shared = found
    together = AxisInstances(bindings=shared)
    for name, value in list(values.items()):
        kind = kinds.get(name, ANYTHING)
        axes = AxisInstances(bindings=own.get(name)) if name in separate else together
        if name in violating:
            values = {**values, name: instantiate_annotation(run, kind, axes, name)}
        elif mentions_axes(run, kind):
            values = {**values, name: narrow_to_annotation(run, kind, value, axes, name)}
    return values


def _is_checked(cls: ClassValue) -> bool:
    return any(name_of_callee(one) in _CHECKING for one in cls.node.decorator_list)
