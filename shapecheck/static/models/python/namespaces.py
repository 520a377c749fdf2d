"""Namespace objects, and `vars`: the attributes of an object as a dict."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Slot, Value
from shapecheck.static.domain.class_facts import UNNAMED
from shapecheck.static.domain.objects import (
    IS_TOP,
    ITEMS,
    AttributeNamespace,
    DictValue,
    Instance,
    Object,
    SymbolicInstance,
)
from shapecheck.static.domain.plain_values import is_plain
from shapecheck.static.domain.unknown_options import UnknownOption
from shapecheck.static.engine.run import Run


def namespace(*args: Value, **kwargs: Value) -> Value:
    """The result of `types.SimpleNamespace` and `argparse.Namespace`."""
    return Unknown("a namespace created from another object") if args else AttributeNamespace(dict(kwargs.items()))


def attributes_of(value: Value) -> Value:
    """The result of `vars(value)`; setting an item of it sets an attribute of the object."""
    if not isinstance(value, (AttributeNamespace, Instance)) or isinstance(value, SymbolicInstance):
        return Unknown("the attributes of an unknown value")
    made = DictValue({name: one for name, one in value.fields.items() if isinstance(name, str) and "." not in name})
    made.fields[OWNER] = value
    if UNNAMED in value.fields:
        made.fields[IS_TOP] = True
    return made


def replace_attributes(run: Run, owner: Instance) -> None:
    """Makes the attributes of an object unknown whose `__dict__` is replaced, perhaps by that of other objects."""
    run.journal.write(owner, UNNAMED, True)
    for name in list(owner.fields):
        if isinstance(name, str):
            run.journal.write(owner, name, Unknown(f"attribute {name} of an object whose attributes were replaced"))


def registered_in(value: Instance, is_kind: Callable[[Value], bool | None]) -> Value:
    """`value._modules` or `value._buffers`: the attributes of a kind, as a dict that sets attributes as well."""
    made = attributes_of(value)
    if isinstance(made, DictValue):
        verdicts = {name: is_kind(one) for name, one in made.items.items()}
        made.fields[ITEMS] = {name: one for name, one in made.items.items() if verdicts[name]}
        if None in verdicts.values():
            made.fields[IS_TOP] = True
    return made


def tensors_in(value: Instance) -> Value:
    """`value._parameters` or `value._buffers`."""
    return registered_in(value, lambda one: None if isinstance(one, Unknown) else isinstance(one, TensorSpec))


def lose_items(run: Run, receiver: DictValue) -> None:
    """Makes the items of a dict unknown, and the plain attributes of the object whose attributes they are."""
    run.journal.lose(receiver)
    owner = receiver.fields.get(OWNER)
    if isinstance(owner, Object):
        run.journal.write(owner, UNNAMED, True)
        for name, value in list(owner.fields.items()):
            if isinstance(name, str) and is_plain(value):
                run.journal.write(owner, name, UnknownOption(f"attribute {name} that may have changed"))


OWNER = Slot("owner")
"""The field of a dict that holds the object whose attributes are its items."""

FUNCTIONS: dict[str, Callable[..., Value]] = {
    "types.SimpleNamespace": namespace,
    "argparse.Namespace": namespace,
    "builtins.vars": attributes_of,
}
