"""What an object, or a function that was defined in another, holds on to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeVar

from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.domain.abstract_values import AbstractValue, Value
from shapecheck.static.domain.structure import reached
from shapecheck.static.domain.values import DictValue, FunctionValue, Instance, ListValue, Namespace

_V = TypeVar("_V", bound=AbstractValue)
_HOLDING = (Instance, ListValue, DictValue)
_DEEPEST = 4


def mutable_in_closure(function: FunctionValue, kinds: tuple[type[_V], ...]) -> Iterator[_V]:
    """The collections that its body reaches by the names of the functions around it, and by their attributes."""
    names: Namespace | None = function.closure
    while names is not None and names.parent is not None:
        for name in _names_in(function.node) & names.fields.keys():
            yield from reachable(names.fields[name], kinds)
        names = names.parent


@cached_on_node
def _names_in(node: ast.AST) -> frozenset[str]:
    return frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def reachable(value: Value, kinds: tuple[type[_V], ...]) -> Iterator[_V]:
    """The values of these kinds among what an object is and holds, a few steps deep."""
    return (one for one in reached(value, _HOLDING, _DEEPEST) if isinstance(one, kinds))
