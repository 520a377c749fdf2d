"""Dicts and their methods, including `defaultdict`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import MaybeAbsent, present
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import ITEMS, ClassValue, DictValue, FunctionValue, Instance, ListValue, Object
from shapecheck.static.domain.values import EnumMember, ExternalReference
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import items_in, items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.unknown_places import item_at_unknown_place
from shapecheck.static.models.python.namespaces import OWNER, lose_items

_FACTORY = "default_factory"
"""The field of a defaultdict that holds the function which creates missing values."""
_REGISTERED = ("_modules", "_parameters", "_buffers")
"""The items of `vars(module)` that contain its submodules and tensors."""
_READERS = frozenset("copy __contains__ __len__ __getitem__".split())
METHODS = frozenset("items keys values copy update get pop setdefault popitem clear".split())
_KEYS = (bool, int, float, str, type(None), ClassValue, FunctionValue, ExternalReference, EnumMember)


def of_dict(run: Run, receiver: DictValue, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of a method of a dict, which may change the dict."""
    items = receiver.items
    if name in ("items", "keys", "values"):
        if any(isinstance(one, MaybeAbsent) for one in items.values()):
            return Unknown("a dict with possibly absent items")
        return ListValue(tuple(items.items() if name == "items" else items.values() if name == "values" else items))
    if name == "copy":
        return DictValue(dict(items))
    if name == "update":
        return _update(run, receiver, args, kwargs)
    if 1 <= len(args) <= 2 and is_key(args[0]) and name in _KEY_METHODS:
        return _KEY_METHODS[name](run, receiver, *args)
    if name == "get" and args and not is_key(args[0]):
        return item_at_unknown_place(run, (*items.values(), *args[1:2]))
    if name not in _READERS and name != "get":
        lose_items(run, receiver)
    return Unknown(f"unsupported {name}() of a dict")


def put(run: Run, receiver: DictValue, items: dict[Value, Value]) -> None:
    """Sets items of a dict, and the attributes of the object whose `vars` it is."""
    run.journal.write(receiver, ITEMS, {**receiver.items, **items})
    owner = receiver.fields.get(OWNER)
    if isinstance(owner, Object):
        for name, value in items.items():
            if isinstance(name, str):
                run.journal.write(owner, name, value)


def item(run: Run, node: ast.AST, receiver: DictValue, key: Value) -> Value:
    """The value of `receiver[key]`; a defaultdict creates it if the key is missing."""
    factory = receiver.fields.get(_FACTORY)
    if not is_key(key):
        if factory is not None:
            run.journal.lose(receiver)
        return Unknown("an unknown key")
    owner = receiver.fields.get(OWNER)
    if isinstance(key, str) and key in _REGISTERED and isinstance(owner, Instance):
        return dispatch.attribute(run, node, owner, key)
    held = receiver.items.get(key, Unknown("no such key"))
    if key in receiver.items or factory is None:
        return present(held) if factory is None or not isinstance(held, MaybeAbsent) else Unknown("possibly a new item")
    made = dispatch.call(run, node, factory, (), {})
    put(run, receiver, {key: made})
    return made


def is_key(key: Value) -> bool:
    """Whether a value is hashable and can be compared: plain, a class, a function or a tuple of these."""
    return isinstance(key, _KEYS) or (type(key) is tuple and all(map(is_key, key)))


def contains(receiver: DictValue, key: Value) -> bool | None:
    """Whether a dict has a key; None if unknown."""
    if receiver.lost or not is_key(key):
        return None
    return None if isinstance(receiver.items.get(key), MaybeAbsent) else key in receiver.items


def updated(items: dict[Value, Value], more: dict[Value, Value]) -> dict[Value, Value]:
    """The items of a dict updated with those of another."""
    found = {**items, **more}
    for key, value in more.items():
        if isinstance(value, MaybeAbsent) and key in items:
            either = join(present(items[key]), value.value)
            found[key] = MaybeAbsent(either) if isinstance(items[key], MaybeAbsent) else either
    return found


def dict_of(*args: Value, **kwargs: Value) -> Value:
    """The result of `dict(...)`."""
    known = _pairs(args[0]) if args else {}
    if known is None or len(args) > 1:
        return Unknown("an unknown dict")
    return DictValue(updated(known, _keyed(kwargs)))


def _keyed(kwargs: dict[str, Value]) -> dict[Value, Value]:
    """Keyword arguments as the items of a dict."""
    return dict(kwargs.items())


def _pairs(value: Value) -> dict[Value, Value] | None:
    """The items of a dict, or of an iterable of pairs; None if unknown."""
    held = value if isinstance(value, DictValue) else items_in(value)
    if held is not None:
        return None if held.lost else held.items
    items = items_of(value)
    pairs = None if items is None else [items_of(one) for one in items]
    if pairs is None or any(one is None or len(one) != 2 or not is_key(one[0]) for one in pairs):
        return None
    return {one[0]: one[1] for one in pairs if one is not None}


def _update(run: Run, receiver: DictValue, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    known = _pairs(args[0]) if args else {}
    if known is None:
        lose_items(run, receiver)
    else:
        put(run, receiver, updated(receiver.items, {**known, **_keyed(kwargs)}))
    return None


def _get(run: Run, receiver: DictValue, key: Value, default: Value = None) -> Value:
    return _found(receiver, key, default)


def _found(receiver: DictValue, key: Value, default: Value) -> Value:
    held = receiver.items.get(key, default)
    return join(held.value, default) if isinstance(held, MaybeAbsent) else held


def _pop(run: Run, receiver: DictValue, key: Value, *default: Value) -> Value:
    found = _found(receiver, key, default[0] if default else Unknown("no such key"))
    run.journal.write(receiver, ITEMS, {name: one for name, one in receiver.items.items() if name != key})
    owner = receiver.fields.get(OWNER)
    if isinstance(owner, Object) and isinstance(key, str) and key in owner.fields:
        run.journal.delete(owner, key)
    return found


def _setdefault(run: Run, receiver: DictValue, key: Value, default: Value = None) -> Value:
    if contains(receiver, key) is not True:
        put(run, receiver, {key: _found(receiver, key, default)})
    return receiver.items[key]


def _defaultdict(factory: Value = None, *args: Value, **kwargs: Value) -> Value:
    made = dict_of(*args, **kwargs)
    if isinstance(made, DictValue) and factory is not None:
        made.fields[_FACTORY] = factory
    return made


_KEY_METHODS: dict[str, Callable[..., Value]] = {"get": _get, "pop": _pop, "setdefault": _setdefault}
FUNCTIONS: dict[str, Callable[..., Value]] = {
    "builtins.dict": dict_of,
    "collections.OrderedDict": dict_of,
    "collections.defaultdict": _defaultdict,
}
