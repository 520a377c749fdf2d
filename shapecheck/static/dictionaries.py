"""Dicts whose keys are known, though some items may be absent: what a branch left open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.ops import Unknown
from shapecheck.static.alternatives import Perhaps, present
from shapecheck.static.iteration import items_of
from shapecheck.static.join import join
from shapecheck.static.values import DictValue, ListValue, Value

if TYPE_CHECKING:
    from shapecheck.static.machine import Machine

_READING = frozenset("copy __contains__ __len__ __getitem__".split())
"""Further methods that leave a dict as it is."""
_ABSENT = object()


def is_key(key: Value) -> bool:
    """Whether a value is a key that can be told from others."""
    return isinstance(key, (str, int, float, bool, type(None)))


def item_of(receiver: DictValue, key: Value) -> Value:
    """What `receiver[key]` gives."""
    if not is_key(key):
        return Unknown("an unknown key")
    return present(receiver.items.get(key, Unknown("no such key")))


def contains(receiver: DictValue, key: Value) -> bool | None:
    """Whether a key is there; None where that is not known."""
    if receiver.lost or not is_key(key):
        return None
    found = receiver.items.get(key, _ABSENT)
    return None if isinstance(found, Perhaps) else found is not _ABSENT


def dict_method(
    machine: Machine, receiver: DictValue, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """What a method of a dict gives, and what it changes."""
    if name in ("items", "keys", "values"):
        return _listed(receiver, name)
    if name in ("get", "pop", "setdefault") and args and is_key(args[0]):
        return _by_key(machine, receiver, name, args)
    if name == "update" and len(args) <= 1 and (more := _items(args[0] if args else ())) is not None:
        _write(machine, receiver, updated(receiver.items, {**more, **kwargs}))
        return None
    if name == "copy":
        return DictValue(dict(receiver.items))
    if name not in _READING and name != "get":
        machine.journal.lose(receiver)
    return Unknown(f"{name} of a dict")


def updated(items: dict[Value, Value], more: dict[Value, Value]) -> dict[Value, Value]:
    """The items of one dict after those of another were put into it."""
    found = dict(items)
    for key, value in more.items():
        if isinstance(value, Perhaps) and key in items:
            sure = join(present(items[key]), value.value)
            found[key] = Perhaps(sure) if isinstance(items[key], Perhaps) else sure
        else:
            found[key] = value
    return found


def made_dict(*args: Value, **kwargs: Value) -> Value:
    """What `dict(...)` makes."""
    items = _items(args[0] if args else ())
    return Unknown("an unknown dict") if items is None else DictValue(updated(items, kwargs))


def _items(value: Value) -> dict[Value, Value] | None:
    if isinstance(value, DictValue):
        return None if value.lost else value.items
    pairs = items_of(value)
    if pairs is None or not all(type(one) is tuple and len(one) == 2 and is_key(one[0]) for one in pairs):
        return None
    return dict(pairs)


def _listed(receiver: DictValue, name: str) -> Value:
    items = receiver.items
    if any(isinstance(one, Perhaps) for one in items.values()):
        return Unknown("a dict of which some items may be absent")
    return ListValue(tuple(items.items() if name == "items" else items.values() if name == "values" else items))


def _by_key(machine: Machine, receiver: DictValue, name: str, args: tuple[Value, ...]) -> Value:
    key, otherwise = args[0], args[1] if len(args) > 1 else None
    held = receiver.items.get(key, _ABSENT)
    found = otherwise if held is _ABSENT else held
    if isinstance(held, Perhaps):
        found = join(held.value, otherwise)
    if name == "pop" and held is not _ABSENT:
        _write(machine, receiver, {one: value for one, value in receiver.items.items() if one != key})
    if name == "setdefault":
        _write(machine, receiver, {**receiver.items, key: found})
    return found


def _write(machine: Machine, receiver: DictValue, items: dict[Value, Value]) -> None:
    machine.journal.write(receiver, "items", items)
