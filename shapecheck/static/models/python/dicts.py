"""Dicts: what their methods give and change, and those that make the value of a missing key themselves."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.static.domain.alternatives import MaybeAbsent, present
from shapecheck.static.domain.join import join
from shapecheck.static.domain.values import (
    ITEMS,
    ClassValue,
    DictValue,
    EnumMember,
    ExternalName,
    FunctionValue,
    ListValue,
    Object,
    Value,
)
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import items_in, items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.namespaces import OWNER

_FACTORY = "default_factory"
"""The field of a dict that holds what is called for the value of a missing key."""
_READING = frozenset("copy __contains__ __len__ __getitem__".split())
METHODS = frozenset("items keys values copy update get pop setdefault popitem clear".split())
_KEYS = (bool, int, float, str, type(None), ClassValue, FunctionValue, ExternalName, EnumMember)


def of_dict(run: Run, receiver: DictValue, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """What a method of a dict gives, and what it changes."""
    items = receiver.items
    if name in ("items", "keys", "values"):
        if any(isinstance(one, MaybeAbsent) for one in items.values()):
            return Unknown("a dict of which some items may be absent")
        return ListValue(tuple(items.items() if name == "items" else items.values() if name == "values" else items))
    if name == "copy":
        return DictValue(dict(items))
    if name == "update":
        return _updated(run, receiver, args, kwargs)
    if args and is_key(args[0]) and name in _OF_KEY:
        return _OF_KEY[name](run, receiver, *args)
    if name not in _READING and name != "get":
        run.journal.lose(receiver)
    return Unknown(f"{name} of a dict")


def put(run: Run, receiver: DictValue, items: dict[Value, Value]) -> None:
    """Puts items into a dict; where it is the attributes of an object, into that too."""
    run.journal.write(receiver, ITEMS, {**receiver.items, **items})
    owner = receiver.fields.get(OWNER)
    if isinstance(owner, Object):
        for name, value in items.items():
            run.journal.write(owner, name, value)


def item(run: Run, node: ast.AST, receiver: DictValue, key: Value) -> Value:
    """What `receiver[key]` gives, which may put it there."""
    factory = receiver.fields.get(_FACTORY)
    if not is_key(key):
        if factory is not None:
            run.journal.lose(receiver)
        return Unknown("an unknown key")
    held = receiver.items.get(key, Unknown("no such key"))
    if key in receiver.items or factory is None:
        return present(held) if factory is None or not isinstance(held, MaybeAbsent) else Unknown("perhaps a new item")
    made = dispatch.call(run, node, factory, (), {})
    put(run, receiver, {key: made})
    return made


def is_key(key: Value) -> bool:
    """Whether it is plain, a class or a function, so that equal keys are known to be."""
    return isinstance(key, _KEYS) or (type(key) is tuple and all(map(is_key, key)))


def contains(receiver: DictValue, key: Value) -> bool | None:
    """Whether a key is there; None where that is not known."""
    if receiver.lost or not is_key(key):
        return None
    return None if isinstance(receiver.items.get(key), MaybeAbsent) else key in receiver.items


def updated(items: dict[Value, Value], more: dict[Value, Value]) -> dict[Value, Value]:
    """The items of one dict after those of another were put into it."""
    found = {**items, **more}
    for key, value in more.items():
        if isinstance(value, MaybeAbsent) and key in items:
            sure = join(present(items[key]), value.value)
            found[key] = MaybeAbsent(sure) if isinstance(items[key], MaybeAbsent) else sure
    return found


def dict_of(*args: Value, **kwargs: Value) -> Value:
    """`dict(...)`."""
    known = _pairs(args[0]) if args else {}
    return Unknown("an unknown dict") if known is None or len(args) > 1 else DictValue(updated(known, kwargs))


def _pairs(value: Value) -> dict[Value, Value] | None:
    held = value if isinstance(value, DictValue) else items_in(value)
    if held is not None:
        return None if held.lost else held.items
    items = items_of(value)
    pairs = None if items is None else [items_of(one) for one in items]
    if pairs is None or any(one is None or len(one) != 2 or not is_key(one[0]) for one in pairs):
        return None
    return {one[0]: one[1] for one in pairs if one is not None}


def _updated(run: Run, receiver: DictValue, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    known = _pairs(args[0]) if args else {}
    if known is None:
        run.journal.lose(receiver)
    else:
        put(run, receiver, updated(receiver.items, {**known, **kwargs}))
    return None


def _got(run: Run, receiver: DictValue, key: Value, default: Value = None) -> Value:
    return _found(receiver, key, default)


def _found(receiver: DictValue, key: Value, default: Value) -> Value:
    held = receiver.items.get(key, default)
    return join(held.value, default) if isinstance(held, MaybeAbsent) else held


def _popped(run: Run, receiver: DictValue, key: Value, *default: Value) -> Value:
    found = _found(receiver, key, default[0] if default else Unknown("no such key"))
    run.journal.write(receiver, ITEMS, {name: one for name, one in receiver.items.items() if name != key})
    return found


def _set_by_default(run: Run, receiver: DictValue, key: Value, default: Value = None) -> Value:
    if contains(receiver, key) is not True:
        put(run, receiver, {key: _found(receiver, key, default)})
    return receiver.items[key]


def _with_factory(factory: Value = None, *args: Value, **kwargs: Value) -> Value:
    made = dict_of(*args, **kwargs)
    if isinstance(made, DictValue) and factory is not None:
        made.fields[_FACTORY] = factory
    return made


_OF_KEY: dict[str, Callable[..., Value]] = {"get": _got, "pop": _popped, "setdefault": _set_by_default}
FUNCTIONS: dict[str, Callable[..., Value]] = {
    "builtins.dict": dict_of,
    "collections.OrderedDict": dict_of,
    "collections.defaultdict": _with_factory,
}
