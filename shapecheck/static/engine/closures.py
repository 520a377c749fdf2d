"""The values that an object references, or that a function or class reaches through enclosing functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from shapecheck.static.domain.abstract_values import AbstractValue, Value
from shapecheck.static.domain.captured_names import names_in
from shapecheck.static.domain.objects import ClassValue, DictValue, FunctionValue, Instance, ListValue, Namespace
from shapecheck.static.domain.structure import reached

_V = TypeVar("_V", bound=AbstractValue)
_HOLDING = (Instance, ListValue, DictValue)
_DEEPEST = 4


def holder(names: Namespace | None, name: str) -> Namespace | None:
    """The innermost of a namespace and those around it that has the name; None for builtins."""
    while names is not None and name not in names.fields:
        names = names.parent
    return names


def mutable_in_closure(code: FunctionValue | ClassValue, kinds: tuple[type[_V], ...]) -> Iterator[_V]:
    """The values of these kinds that a function or class reaches through names of enclosing functions.

    Through attributes of these values as well, and through the functions and classes that it uses.
    """
    pending: list[FunctionValue | ClassValue] = [code]
    seen: set[int] = set()
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        for value in _captured(one):
            if isinstance(value, (FunctionValue, ClassValue)):
                pending.append(value)
            else:
                yield from reachable(value, kinds)


def _captured(code: FunctionValue | ClassValue) -> Iterator[Value]:
    names: Namespace | None = code.closure
    while names is not None and names.parent is not None:
        for name in names_in(code.node) & names.fields.keys():
            yield names.fields[name]
        names = names.parent


def reachable(value: Value, kinds: tuple[type[_V], ...]) -> Iterator[_V]:
    """A value and the values that it contains, a few levels deep, if they are of these kinds."""
    return (one for one in reached(value, _HOLDING, _DEEPEST) if isinstance(one, kinds))
