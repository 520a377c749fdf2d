"""Namespace objects, and `vars`: the attributes of an object as a dict."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Slot, Value
from shapecheck.static.domain.objects import AttributeNamespace, DictValue, Instance


def namespace(*args: Value, **kwargs: Value) -> Value:
    """The result of `types.SimpleNamespace` and `argparse.Namespace`."""
    return Unknown("a namespace created from another object") if args else AttributeNamespace(dict(kwargs.items()))


def attributes_of(value: Value) -> Value:
    """The result of `vars(value)`; setting an item of it sets an attribute of the object."""
    if not isinstance(value, (AttributeNamespace, Instance)):
        return Unknown("the attributes of an unknown value")
    made = DictValue({name: one for name, one in value.fields.items() if isinstance(name, str) and name.isidentifier()})
    made.fields[OWNER] = value
    return made


OWNER = Slot("owner")
"""The field of a dict that holds the object whose attributes are its items."""

FUNCTIONS: dict[str, Callable[..., Value]] = {
    "types.SimpleNamespace": namespace,
    "argparse.Namespace": namespace,
    "builtins.vars": attributes_of,
}
