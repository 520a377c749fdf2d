"""`children()` and `named_children()` of modules of the project: their attributes that are modules."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.class_facts import LAYER, is_module
from shapecheck.static.domain.objects import Instance, ListValue, ModuleContainer

NAMES = ("named_children", "children")


def children_of(receiver: Instance, name: str) -> Value:
    """The attributes of an object that are modules, in order of assignment; Unknown if one may be a module."""
    fields = {key: one for key, one in receiver.fields.items() if isinstance(key, str) and key.isidentifier()}
    are_modules = {key: _is_module(one) for key, one in fields.items()}
    if LAYER in receiver.fields or None in are_modules.values():
        return Unknown(f"{name}() of an unknown module")
    found = {key: one for key, one in fields.items() if are_modules[key]}
    return ListValue(tuple(found.items() if name == "named_children" else found.values()))


def _is_module(value: Value) -> bool | None:
    """Whether a value is a module; None if unknown."""
    if isinstance(value, Alternatives):
        answers = set(map(_is_module, value.members))
        return answers.pop() if len(answers) == 1 else None
    if isinstance(value, Unknown):
        return None
    return isinstance(value, (ModuleSpec, ModuleContainer)) or (isinstance(value, Instance) and is_module(value.cls))
