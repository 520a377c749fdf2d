"""What an object, or a function that was defined in another, holds on to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.values import DictValue, FunctionValue, Instance, ListValue, Namespace, Value

_DEEPEST = 4


def changeable_in(function: FunctionValue, kinds: tuple[type, ...]) -> Iterator[Value]:
    """The collections that its body reaches by the names of the functions around it, and by their attributes."""
    names: Namespace | None = function.closure
    while names is not None and names.parent is not None:
        for name in _names_in(function.node) & names.fields.keys():
            yield from reached(names.fields[name], kinds)
        names = names.parent


@cached_on_node
def _names_in(node: ast.AST) -> frozenset[str]:
    return frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def reached(value: Value, kinds: tuple[type, ...], depth: int = _DEEPEST) -> Iterator[Value]:
    """The values of these kinds among what an object is and holds, a few steps deep."""
    if isinstance(value, kinds):
        yield value
    for one in _held(value) if depth else ():
        yield from reached(one, kinds, depth - 1)


def _held(value: Value) -> list[Value]:
    if isinstance(value, Instance):
        return list(value.fields.values())
    if isinstance(value, DictValue):
        return list(value.items.values())
    return list(value.items) if isinstance(value, ListValue) else []
