"""What the memo knows of values: keys of arguments, equal where no call distinguishes them, and copies of results."""

from __future__ import annotations

from collections.abc import Iterable

from shapecheck.ops import ModuleSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Object, Shared
from shapecheck.static.domain.structure import LEAVES, children, has_hidden_state, key, rebuild

_LARGEST = 1000
"""How many values a call's arguments may consist of."""
_NUMBERS = frozenset((bool, int, float, complex))
"""Of several kinds, and yet equal."""
_OWN_KEYS = LEAVES - _NUMBERS
"""Kinds whose values are keys as they are."""


class NotMemoizable(Exception):
    """A value is too large to be compared, or reaches what may change beside it, or cannot be copied."""


def fingerprint(value: Value) -> tuple[list[object], dict[Object, int]]:
    """A flat key: equal for arguments that no call can tell apart; and the objects met, in order."""
    found: list[object] = []
    objects: dict[Object, int] = {}
    _add(value, found, objects)
    return found, objects


def _add(value: Value, found: list[object], objects: dict[Object, int]) -> None:
    kind = type(value)
    if kind in _OWN_KEYS:
        found.append(value)
    elif kind in _NUMBERS:
        found += (kind, value)
    elif type(value) is tuple:
        found += (kind, len(value))
        _add_all(value, found, objects)
    elif isinstance(value, Object) and value in objects:
        found += (kind, objects[value])
    elif has_hidden_state(value):
        raise NotMemoizable
    else:
        if isinstance(value, Object) and not isinstance(value, Shared):
            objects[value] = len(objects)
        parts = children(value)
        found += (key(value), len(parts))
        _add_all(parts, found, objects)


def _add_all(parts: Iterable[Value], found: list[object], objects: dict[Object, int]) -> None:
    if len(found) > _LARGEST:
        raise NotMemoizable
    for one in parts:
        if type(one) in _OWN_KEYS:
            found.append(one)
        else:
            _add(one, found, objects)


def copied(value: Value, copies: dict[Object, Object], since: int | None) -> Value:
    """A value with objects of its own, but for those that `copies` maps.

    With `since`, NotMemoizable for an object that is older and not mapped, or that cannot be copied.
    """
    if type(value) in LEAVES:
        return value
    if isinstance(value, Object) and not isinstance(value, Shared):
        return _copied_object(value, copies, since)
    if isinstance(value, ModuleSpec):  # what it holds is immutable, its identity counts
        return rebuild(value, children(value))
    if has_hidden_state(value):
        raise NotMemoizable
    parts = children(value)
    return rebuild(value, tuple([copied(one, copies, since) for one in parts])) if parts else value


def _copied_object(value: Object, copies: dict[Object, Object], since: int | None) -> Object:
    known = copies.get(value)
    if known is not None:
        return known
    if not value.is_copyable or (since is not None and value.allocation_id < since):
        raise NotMemoizable
    copies[value] = made = value.bare()  # before its fields, which may hold it
    made.fields = {name: copied(one, copies, since) for name, one in value.fields.items()}
    return made
