"""Reads of names, attributes and subscripts, and slices."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, without_none
from shapecheck.static.domain.late_names import current
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.values import ExternalReference, LateName, SliceWindow, TypeAlias
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.run import Run
from shapecheck.static.expressions.subscripts import length_written, subscript
from shapecheck.static.operators.wrong_kind import report_slice

_GENERIC_TYPES = (
    "jaxtyping.",
    "typing.",
    "typing_extensions.",
    "collections.abc.",
    *(f"builtins.{name}" for name in ("tuple", "list", "dict", "set", "frozenset", "type")),
)


def name(run: Run, node: ast.Name) -> Value:
    """Looks a name up in the current namespace and the enclosing ones."""
    names: Namespace | None = run.frames[-1].scope
    name = node.id
    while names is not None:
        if name in names.fields:
            value = names.fields[name]
            if type(value) in _HOLDING_SIZES:
                return run.knowledge.settled(value)
            return current(value) if type(value) is LateName else value
        names = names.parent
    return ExternalReference(f"builtins.{name}")


_HOLDING_SIZES = frozenset((Dim, TensorSpec, tuple, SymbolicArgument))


def attribute_read(run: Run, node: ast.Attribute) -> Value:
    """Evaluates `a.b`."""
    value = evaluate(run, node.value)
    if type(value) is not Alternatives:
        return run.knowledge.settled(dispatch.attribute(run, node, value, node.attr))
    found = map_alternatives(run, lambda one: dispatch.attribute(run, node, one, node.attr), without_none(value))
    return run.knowledge.settled(found)


def subscript_read(run: Run, node: ast.Subscript) -> Value:
    """Evaluates `a[b]`."""
    value = without_none(evaluate(run, node.value))
    if isinstance(value, ExternalReference) and value.name.startswith(_GENERIC_TYPES):
        return TypeAlias(node, run.frame.scope)
    key = evaluate(run, node.slice)
    if type(key) is tuple and any(type(one) is Alternatives for one in key):
        return map_alternatives(run, lambda one, *parts: subscript(run, node, one, parts), value, *key)
    return map_alternatives(run, partial(subscript, run, node), value, key)


def slice_value(run: Run, node: ast.Slice) -> Value:
    """Evaluates `a:b` in a subscript."""
    report_slice(run, node)
    length = length_written(node)
    if length is not None and node.lower is not None and not isinstance(evaluate(run, node.lower), (int, Dim)):
        return SliceWindow(evaluate(run, length))
    parts = (None if one is None else evaluate(run, one) for one in (node.lower, node.upper, node.step))
    return slice(*parts)
