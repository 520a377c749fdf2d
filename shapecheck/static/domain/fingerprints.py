"""Fingerprints of arguments and copies of results, for memoization."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import TypeAlias

from shapecheck.ops import ModuleSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.captured_names import captured
from shapecheck.static.domain.objects import FunctionValue, Object, Shared
from shapecheck.static.domain.structure import LEAVES, children, has_hidden_state, key_and_children, rebuild

_LARGEST = 1000
"""The limit of entries in a fingerprint."""
_NUMBERS = frozenset((bool, int, float, complex))
"""Kinds with values that are equal to values of another kind."""
_OWN_KEYS = LEAVES - _NUMBERS
"""Kinds whose values can be entries of a fingerprint themselves."""
Identified: TypeAlias = "Object | FunctionValue"
"""What a fingerprint numbers, and a memoized result may refer to: objects, and functions with captured values."""


class NotMemoizable(Exception):
    """Raised for a value that is too large, has hidden state or cannot be copied."""


def fingerprint(value: Value) -> tuple[list[object], dict[Identified, int]]:
    """A flat key, equal for arguments that no call can distinguish, and what it numbers in the arguments, in order."""
    found: list[object] = []
    objects: dict[Identified, int] = {}
    _add(value, found, objects)
    return found, objects


def _add(value: Value, found: list[object], objects: dict[Identified, int]) -> None:
    kind = type(value)
    if kind in _OWN_KEYS:
        found.append(value)
    elif kind in _NUMBERS:
        found += (kind, value)
    elif type(value) is tuple:
        found += (kind, len(value))
        _add_all(value, found, objects)
    elif type(value) is dict:  # the arguments of every call
        found += (kind, len(value))
        _add_all(value, found, objects)
        _add_all(value.values(), found, objects)
    elif isinstance(value, Object):
        _add_object(value, found, objects)
    elif has_hidden_state(value):
        if type(value) is not FunctionValue:
            raise NotMemoizable
        _add_nested(value, found, objects)
    else:
        key, parts = key_and_children(value)
        found += (key, len(parts))
        _add_all(parts, found, objects)


def _add_object(value: Object, found: list[object], objects: dict[Identified, int]) -> None:
    number = objects.get(value)
    if number is not None:
        found += (type(value), number)
        return
    if value.has_hidden_state:
        raise NotMemoizable
    if not isinstance(value, Shared):
        objects[value] = len(objects)
    key, parts = key_and_children(value)
    found += (key, len(parts))
    _add_all(parts, found, objects)


def _add_nested(function: FunctionValue, found: list[object], objects: dict[Identified, int]) -> None:
    """Adds a function that is defined in another one: each run of that one defines another function of the same code.

    What it does depends on the code, the defaults, and the values of the names that it captures.
    """
    number = objects.get(function)
    if number is not None:
        found += (FunctionValue, number)
        return
    if function.overloads:
        raise NotMemoizable
    objects[function] = len(objects)
    held = captured(function)
    found += (function.node, *held)
    _add_all((function.owner, *function.defaults, *function.kw_defaults, *held.values()), found, objects)


def _add_all(parts: Iterable[Value], found: list[object], objects: dict[Identified, int]) -> None:
    if len(found) > _LARGEST:
        raise NotMemoizable
    for one in parts:
        if type(one) in _OWN_KEYS:
            found.append(one)
        else:
            _add(one, found, objects)


def copied(value: Value, copies: dict[Identified, Identified], since: int | None) -> Value:
    """A copy of a value with copies of its objects; `copies` maps those that are already copied.

    Raises NotMemoizable for an object that cannot be copied or, with `since`, is older and not in `copies`.
    """
    if type(value) in LEAVES:
        return value
    if isinstance(value, Object) and not isinstance(value, Shared):
        return _copied_object(value, copies, since)
    if type(value) is tuple:
        return tuple([copied(one, copies, since) for one in value])
    if isinstance(value, ModuleSpec):  # its attributes are immutable, its identity matters
        return copy(value)
    if has_hidden_state(value):
        if type(value) is FunctionValue and value in copies:
            return copies[value]
        raise NotMemoizable
    parts = children(value)
    return rebuild(value, tuple([copied(one, copies, since) for one in parts])) if parts else value


def _copied_object(value: Object, copies: dict[Identified, Identified], since: int | None) -> Identified:
    known = copies.get(value)
    if known is not None:
        return known
    if not value.is_copyable or (since is not None and value.allocation_id < since):
        raise NotMemoizable
    copies[value] = made = value.bare()  # before its fields, which may hold it
    made.fields = {name: copied(one, copies, since) for name, one in value.fields.items()}
    return made
