"""Classes of the project that inherit from dict, such as `class Config(dict)`; the items are kept in a DictValue."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Slot, Value
from shapecheck.static.domain.alternatives import present
from shapecheck.static.domain.objects import ClassValue, DictValue, Instance, Object
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.iteration import OWN_DICT, items_in
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.dicts import dict_of, put
from shapecheck.static.models.python.special_methods import call_special, special

BASES = frozenset(("builtins.dict", "collections.OrderedDict", "collections.UserDict"))
_ATTRIBUTES_ARE_ITEMS = Slot("its attributes are its items")
"""Set if the object is its own `__dict__`."""
_READERS = frozenset(("builtins.dict.__getitem__", "builtins.dict.get"))
_WRITERS = frozenset(("builtins.dict.__setitem__",))


def is_mapping(cls: ClassValue) -> bool:
    """Whether a class inherits from dict."""
    return not cls.outside().isdisjoint(BASES)


def fill(run: Run, made: Instance, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
    """Initializes the items of an object from the arguments of its constructor, as `dict` does."""
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
    """The item that reading an attribute returns; None unless the class maps attributes to items."""
    items = items_in(value)
    if items is None or not (_ATTRIBUTES_ARE_ITEMS in value.fields or _defines(value.cls, "__getattr__", _READERS)):
        return None
    return Unknown("an unknown dict") if items.lost else present(items.items.get(name, Unknown("no such key")))


def write(run: Run, node: ast.AST, value: Object, name: str, what: Value) -> bool:
    """Sets an attribute that is stored as an item; False unless the class maps attributes to items."""
    items = items_in(value)
    if items is None or not isinstance(value, Instance):
        return False
    if name == "__dict__" and what is value:
        run.journal.write(value, _ATTRIBUTES_ARE_ITEMS, True)
        return True
    if _ATTRIBUTES_ARE_ITEMS in value.fields or _defines(value.cls, "__setattr__", _WRITERS):
        put(run, items, {name: what})
        return True
    if special(value, "__setattr__") is None:
        return False
    call_special(run, node, value, "__setattr__", name, what)
    return True


def _defines(cls: ClassValue, name: str, functions: frozenset[str]) -> bool:
    """Whether a class assigns one of these functions of dict to a special method."""
    return any(
        isinstance(found := one.fields.get(name), ExternalReference) and found.name in functions for one in cls.mro()
    )
