"""What becomes of values that are given to a function that is not known: it may change them, now or later."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.alternatives import members_of
from shapecheck.static.closures import changeable_in
from shapecheck.static.machine import Machine
from shapecheck.static.values import (
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    Method,
    Partial,
    SetValue,
    Value,
)

_CHANGEABLE = (ListValue, DictValue, SetValue)
_PLAIN = (bool, int, float, str, Dim, TensorSpec, type(None))
_DEEPEST = 4


def give_away(machine: Machine, values: Iterable[Value]) -> None:
    """Forgets what may be changed through these arguments: collections, and what functions among them hold on to."""
    for given in values:
        for one in members_of(given):
            if isinstance(one, _CHANGEABLE):
                machine.journal.lose(one)
            for function in _functions_in(one, _DEEPEST):
                _forget_held(machine, function)


def _functions_in(value: Value, depth: int) -> Iterator[FunctionValue | Method]:
    """The functions that a value is, binds, or holds as an item."""
    if isinstance(value, (FunctionValue, Method)):
        yield value
    elif isinstance(value, Partial):
        yield from _functions_in(value.function, depth)
    elif depth:
        for item in _items(value):
            yield from _functions_in(item, depth - 1)


def _items(value: Value) -> Iterable[Value]:
    if isinstance(value, DictValue):
        return list(value.items.values())
    if isinstance(value, ListValue):
        return list(value.items)
    return value if type(value) is tuple else ()


def _forget_held(machine: Machine, given: FunctionValue | Method) -> None:
    function = given.function if isinstance(given, Method) else given
    for held in changeable_in(function, _CHANGEABLE):
        machine.journal.lose(held)
    if isinstance(given, Method) and isinstance(given.receiver, Instance):
        _forget_fields(machine, given.receiver, _assigned_in(function.node))


def _forget_fields(machine: Machine, receiver: Instance, changed: frozenset[str]) -> None:
    for name in changed & receiver.fields.keys():
        if isinstance(receiver.fields[name], _PLAIN):
            machine.journal.write(receiver, name, Unknown(f"{name} may have changed"))


@cached_on_node
def _assigned_in(node: ast.AST) -> frozenset[str]:
    """The attributes that a method assigns, of `self` or of another object."""
    stored = (one for one in ast.walk(node) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store))
    return frozenset(one.attr for one in stored)
