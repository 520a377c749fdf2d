"""Namespace objects, and `vars`: the attributes of an object as a dict."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Slot, Value
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
from shapecheck.static.engine.run import Run


def namespace(*args: Value, **kwargs: Value) -> Value:
    """The result of `types.SimpleNamespace` and `argparse.Namespace`."""
    return Unknown("a namespace created from another object") if args else AttributeNamespace(dict(kwargs.items()))


def attributes_of(value: Value) -> Value:
    """The result of `vars(value)`; setting an item of it sets an attribute of the object."""
    if not isinstance(value, (AttributeNamespace, Instance)) or isinstance(value, SymbolicInstance):
        return Unknown("the attributes of an unknown value")
    made = DictValue({name: one for name, one in value.fields.items() if isinstance(name, str) and name.isidentifier()})
    made.fields[OWNER] = value
    return made


def registered_in(value: Instance, kinds: tuple[type, ...]) -> Value:
    """`value._modules` or `value._buffers`: the attributes of these kinds, as a dict that sets attributes as well."""
    made = attributes_of(value)
    if isinstance(made, DictValue):
        is_certain = not any(isinstance(one, Unknown) for one in made.items.values())
        made.fields[ITEMS] = {name: one for name, one in made.items.items() if isinstance(one, kinds)}
        if not is_certain:
            made.fields[IS_TOP] = True
    return made


def lose_items(run: Run, receiver: DictValue) -> None:
    """Makes the items of a dict unknown, and the plain attributes of the object whose attributes they are."""
    run.journal.lose(receiver)
    owner = receiver.fields.get(OWNER)
    if isinstance(owner, Object):
        for name, value in list(owner.fields.items()):
            if isinstance(name, str) and is_plain(value):
                run.journal.write(owner, name, Unknown(f"attribute {name} that may have changed"))


OWNER = Slot("owner")
"""The field of a dict that holds the object whose attributes are its items."""

FUNCTIONS: dict[str, Callable[..., Value]] = {
    "types.SimpleNamespace": namespace,
    "argparse.Namespace": namespace,
    "builtins.vars": attributes_of,
}
