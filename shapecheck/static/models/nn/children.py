"""`named_children()` and `children()` of a module of the project: its attributes that are modules."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.class_facts import LAYER, is_module
from shapecheck.static.domain.values import Instance, ListValue, ModuleContainer, Value

NAMES = ("named_children", "children")


def children_of(receiver: Instance, name: str) -> Value:
    """The modules that an object holds, in the order in which they were set; Unknown where one may be of any kind."""
    fields = {key: one for key, one in receiver.fields.items() if isinstance(key, str) and key.isidentifier()}
    verdicts = {key: _is_module(one) for key, one in fields.items()}
    if LAYER in receiver.fields or None in verdicts.values():
        return Unknown(f"{name} of a module that is not known")
    found = {key: one for key, one in fields.items() if verdicts[key]}
    return ListValue(tuple(found.items() if name == "named_children" else found.values()))


def _is_module(value: Value) -> bool | None:
    """None where it may be one."""
    if isinstance(value, Alternatives):
        verdicts = set(map(_is_module, value.members))
        return verdicts.pop() if len(verdicts) == 1 else None
    if isinstance(value, Unknown):
        return None
    return isinstance(value, (ModuleSpec, ModuleContainer)) or (isinstance(value, Instance) and is_module(value.cls))
