"""The values of enclosing functions that a nested function may read."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue, Namespace


def captured(function: FunctionValue) -> dict[str, Value]:
    """The values of the names of enclosing functions that a function may read."""
    found: dict[str, Value] = {}
    names: Namespace | None = function.closure
    while names is not None and names.parent is not None:
        for name in sorted(names_in(function.node) & names.fields.keys() - found.keys()):
            found[name] = names.fields[name]
        names = names.parent
    return found


@cached_on_node
def names_in(node: ast.AST) -> frozenset[str]:
    """All names in a piece of code."""
    return frozenset(one.id for one in walk(node) if isinstance(one, ast.Name))
