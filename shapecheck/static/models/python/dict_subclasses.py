"""Classes of the project that are a dict: `class Config(dict)`; what they hold lies in a dict of their own."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Slot
from shapecheck.static.domain.alternatives import present
from shapecheck.static.domain.values import ClassValue, DictValue, ExternalName, Instance, Object, Value
from shapecheck.static.engine.iteration import OWN_DICT, items_in
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.dicts import dict_of, put
from shapecheck.static.models.python.special_methods import call_special

BASES = frozenset(("builtins.dict", "collections.OrderedDict", "collections.UserDict"))
_ATTRIBUTES_ARE_ITEMS = Slot("its attributes are its items")
_READING = frozenset(("builtins.dict.__getitem__", "builtins.dict.get"))
_WRITING = "builtins.dict.__setitem__"


def is_mapping(cls: ClassValue) -> bool:
    """Whether it is a dict."""
    return not cls.outside().isdisjoint(BASES)


def fill(run: Run, made: Instance, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
    """What the constructor of dict does to an object."""
    items = dict_of(*args, **kwargs)
    held = items_in(made)
    if held is None:
        held = DictValue()
        run.journal.write(made, OWN_DICT, held)
    if isinstance(items, DictValue):
        put(run, held, items.items)
    else:
        run.journal.lose(held)


def attribute_in(value: Instance, name: str) -> Value | None:
    """An item that is read as an attribute; None where its class does not say so."""
    items = items_in(value)
    if items is None or not (_ATTRIBUTES_ARE_ITEMS in value.fields or _defines(value.cls, "__getattr__", _READING)):
        return None
    return Unknown("a dict that is not known") if items.lost else present(items.items.get(name, Unknown("no such key")))


def write(run: Run, node: ast.AST, value: Object, name: str, what: Value) -> bool:
    """Writes an attribute that is an item; False where it is none."""
    items = items_in(value)
    if items is None or not isinstance(value, Instance):
        return False
    if name == "__dict__" and what is value:
        run.journal.write(value, _ATTRIBUTES_ARE_ITEMS, True)
        return True
    if _ATTRIBUTES_ARE_ITEMS in value.fields or _defines(value.cls, "__setattr__", {_WRITING}):
        put(run, items, {name: what})
        return True
    return call_special(run, node, value, "__setattr__", name, what) is not None


def _defines(cls: ClassValue, name: str, names: frozenset[str] | set[str]) -> bool:
    return any(isinstance(found := one.fields.get(name), ExternalName) and found.name in names for one in cls.mro())
