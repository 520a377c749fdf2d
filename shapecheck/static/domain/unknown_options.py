"""Unknown options: values that callers choose together with the other arguments, but not where the analysis sees it.

An argument that only `**kwargs` may contain, or an attribute that was assigned through an unknown object, selects one
of several modes. Which shapes an object accepts depends on its mode, so what fails in a branch on one proves nothing.
"""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Slot, Value
from shapecheck.static.domain.objects import Collection, Instance, Namespace

OF_OPTIONS = Slot("its items are options")
"""The field of a `**kwargs` that received unknown keyword arguments."""


class UnknownOption(Unknown):
    """An unknown value that selects a mode; code that does not handle it sees an Unknown."""

    __slots__ = ()


UNKNOWN_KINDS = frozenset((Unknown, UnknownOption))
"""The types of values about which nothing is known, not even that they are floats or alternatives."""


def item_of(collection: Collection, reason: str) -> Unknown:
    """An item of a collection whose items are unknown."""
    return UnknownOption(reason) if OF_OPTIONS in collection.fields else Unknown(reason)


def result_of(*operands: Value, reason: str) -> Unknown:
    """The unknown result of an operator: an option if an operand is one."""
    of_option = any(type(one) is UnknownOption for one in operands)
    return UnknownOption(reason) if of_option else Unknown(reason)


def is_on_option(scope: Namespace, test: ast.expr, value: Value) -> bool:
    """Whether a condition with this value is an unknown option, or reads a variable or attribute that is one."""
    return type(value) is UnknownOption or any(type(_value_at(scope, one)) is UnknownOption for one in _places(test))


@cached_on_node
def _places(test: ast.expr) -> tuple[ast.expr, ...]:
    """The variables and attributes that a condition reads."""
    return tuple(one for one in walk(test) if isinstance(one, (ast.Name, ast.Attribute)))


def _value_at(scope: Namespace, place: ast.expr) -> Value:
    if isinstance(place, ast.Attribute):
        owner = _value_at(scope, place.value)
        return owner.fields.get(place.attr) if isinstance(owner, Instance) else None
    names: Namespace | None = scope if isinstance(place, ast.Name) else None
    while names is not None and isinstance(place, ast.Name):
        if place.id in names.fields:
            return names.fields[place.id]
        names = names.parent
    return None
