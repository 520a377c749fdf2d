"""Which parameters of a constructor say how often layers are repeated, also in the functions that it passes them to."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Namespace
from shapecheck.static.engine.argument_binding import positional_names
from shapecheck.static.entry.receivers import decorators_of
from shapecheck.static.entry.variants import constructor_of

_DEEPEST = 4
_MOST_ITEMS = 8


@dataclass(frozen=True)
class LayerCounts:
    """The names in a function that count layers."""

    names: frozenset[str] = frozenset()
    """The variables and attributes that are counts."""
    items: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """The variables whose items are counts, and how many items there are: 4 if `layers[3]` is the last one."""

    def __contains__(self, name: str) -> bool:
        return name in self.names or name in self.items


def layer_counts(function: FunctionValue, active: tuple[ast.AST, ...] = ()) -> LayerCounts:
    """The names in a function that it passes to `range`, multiplies a sequence with, or passes on as such a count."""
    names, items = set(counts_in(function.node)), dict[str, int]()
    if len(active) < _DEEPEST:
        for call in _calls(function.node):
            called = _called(function, call.func)
            if called is None or called.node in active or called.node is function.node:
                continue
            inner = layer_counts(called, (*active, function.node))
            for parameter, argument in _passed(call, called):
                if parameter in inner.names:
                    _add(argument, names, items)
                if parameter in inner.items and isinstance(argument, ast.Name):
                    items[argument.id] = max(items.get(argument.id, 0), inner.items[parameter])
    return LayerCounts(frozenset(names), items)


@cached_on_node
def counts_in(scope: ast.AST) -> frozenset[str]:
    """The names and attributes that a scope passes to `range`, or multiplies a list or a tuple with."""
    found: set[str] = set()
    for one in walk(scope):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "range":
            for bound in one.args:
                found |= _names(bound)
        elif isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mult):
            for repeated, number in ((one.left, one.right), (one.right, one.left)):
                found |= _names(number) if isinstance(repeated, (ast.List, ast.Tuple)) else set()
    return frozenset(found)


def _names(node: ast.AST) -> set[str]:
    """The names in an expression; of an attribute, only its own name."""
    inside = list(walk(node))
    attributes = [one for one in inside if isinstance(one, ast.Attribute)]
    owners = {id(one.value) for one in attributes}
    plain = {one.id for one in inside if isinstance(one, ast.Name) and id(one) not in owners}
    return plain | {one.attr for one in attributes}


def _add(argument: ast.expr, names: set[str], items: dict[str, int]) -> None:
    """Adds what an argument that is a count is made of."""
    if isinstance(argument, ast.Subscript) and isinstance(argument.value, ast.Name):
        index = argument.slice.value if isinstance(argument.slice, ast.Constant) else None
        if type(index) is int and 0 <= index < _MOST_ITEMS:
            items[argument.value.id] = max(items.get(argument.value.id, 0), index + 1)
    elif isinstance(argument, (ast.Name, ast.Attribute)):
        names |= _names(argument)


@cached_on_node
def _calls(function: ast.AST) -> tuple[ast.Call, ...]:
    return tuple(one for one in walk(function) if isinstance(one, ast.Call) and (one.args or one.keywords))


def _called(function: FunctionValue, callee: ast.expr) -> FunctionValue | None:
    """The function or the constructor of the project that a call leads to."""
    found: object = None
    if isinstance(callee, ast.Name):
        found = _value_of(function.closure, callee.id)
    elif isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name):
        owner = _value_of(function.closure, callee.value.id)
        if isinstance(owner, Namespace):
            found = owner.fields.get(callee.attr)
        elif callee.value.id == "self" and function.owner is not None:
            holder = function.owner.holder(callee.attr)
            found = holder.fields.get(callee.attr) if isinstance(holder, ClassValue) else None
    found = constructor_of(found) if isinstance(found, ClassValue) else found
    return found if isinstance(found, FunctionValue) else None


def _value_of(names: Namespace | None, name: str) -> object:
    while names is not None:
        if name in names.fields:
            return names.fields[name]
        names = names.parent
    return None


def _passed(call: ast.Call, function: FunctionValue) -> Iterator[tuple[str, ast.expr]]:
    """Each parameter of a function with the argument that a call gives to it."""
    parameters = list(positional_names(function.node.args))
    if function.owner is not None and "staticmethod" not in decorators_of(function):
        parameters = parameters[1:]
    given = [] if any(isinstance(one, ast.Starred) for one in call.args) else call.args
    yield from zip(parameters, given, strict=False)
    yield from ((one.arg, one.value) for one in call.keywords if one.arg is not None)
