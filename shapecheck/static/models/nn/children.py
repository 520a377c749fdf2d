"""`children()` and `named_children()` of modules of the project: their attributes that are modules."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.class_facts import LAYER, UNNAMED, base_layer, is_module
from shapecheck.static.domain.objects import Instance, ListValue, ModuleContainer
from shapecheck.static.models.python.namespaces import registered_in

NAMES = ("named_children", "children")
VISITING = ("modules", "named_modules")
"""The methods that return submodules at every depth, which are unknown."""


def children_of(receiver: Instance, name: str) -> Value:
    """The attributes of an object that are modules, in order of assignment; Unknown if one may be a module."""
    fields = {key: one for key, one in receiver.fields.items() if isinstance(key, str) and "." not in key}
    are_modules = {key: is_module_value(one) for key, one in fields.items()}
    if LAYER in receiver.fields or UNNAMED in receiver.fields or None in are_modules.values():
        return Unknown(f"{name}() of an unknown module")
    found = {key: one for key, one in fields.items() if are_modules[key]}
    return ListValue(tuple(found.items() if name == "named_children" else found.values()))


def submodule(receiver: Value, target: Value = None, *_: Value, **__: Value) -> Value:
    """`get_submodule("encoder.0")`; Unknown if a part of the path is."""
    found = receiver
    for name in target.split(".") if isinstance(target, str) and target else ():
        held = found.fields.get(LAYER, found) if isinstance(found, Instance) else found
        parts = held.items if isinstance(held, ModuleContainer) and not held.lost else {}
        found = parts.get(name) if name in parts else found.fields.get(name) if isinstance(found, Instance) else None
    return found if isinstance(target, str) and found is not None else Unknown("an unknown submodule")


def own_parameter(module: Value, path: Value) -> Value:
    """The parameter or buffer of a module under a name such as `encoder.0.weight`; Unknown if there is none."""
    outer, _, name = path.rpartition(".") if isinstance(path, str) else ("", "", "")
    owner = submodule(module, outer)
    found = vars(owner).get(name) if isinstance(owner, ModuleSpec) else None
    return owner.fields.get(name) if isinstance(owner, Instance) else found


def modules_in(receiver: Instance) -> Value:
    """`_modules` of a module of the project."""
    return registered_in(receiver, is_module_value)


def is_module_value(value: Value) -> bool | None:
    """Whether a value is a module; None if unknown."""
    if isinstance(value, Alternatives):
        answers = set(map(is_module_value, value.members))
        return answers.pop() if len(answers) == 1 else None
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Instance) and not is_module(value.cls):
        return None if "?" in value.cls.outside() else base_layer(value.cls) is not None
    return isinstance(value, (ModuleSpec, ModuleContainer, Instance))
