"""The module `copy`."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import (
    AttributeNamespace,
    DictValue,
    Instance,
    ListValue,
    SetValue,
)
from shapecheck.static.engine.iteration import OWN_DICT


def _copy(value: Value) -> Value:
    """A shallow copy."""
    if not isinstance(value, (Instance, ListValue, DictValue, SetValue, AttributeNamespace)):
        return value
    made = value.bare()
    made.fields = dict(value.fields)
    return made


_MAX_NESTED = 8
"""How deep copied containers may be nested; one may contain itself."""


def _deepcopy(value: Value, *_: Value) -> Value:
    """A copy of a value, and of the layers and containers in it."""
    return _copied(value, 0)


def _copied(value: Value, depth: int) -> Value:
    if isinstance(value, ModuleSpec):
        return copy(value)
    if depth > _MAX_NESTED and isinstance(value, (Instance, ListValue, DictValue, SetValue, AttributeNamespace)):
        return Unknown("a copy of a deeply nested object")
    inside = depth + 1
    if isinstance(value, Instance):
        made = value.bare()
        made.fields |= {name: _copied(one, inside) if name == OWN_DICT else one for name, one in value.fields.items()}
        return made
    if isinstance(value, ListValue) and not value.lost:
        copies = {id(one): one if isinstance(one, ListValue) else _copied(one, inside) for one in value.items}
        return ListValue(tuple(copies[id(one)] for one in value.items))
    if isinstance(value, DictValue) and not value.lost:
        return DictValue({key: _copied(one, inside) for key, one in value.items.items()})
    if isinstance(value, SetValue) and not value.lost:
        return SetValue(value.items)
    if isinstance(value, AttributeNamespace):
        return AttributeNamespace({name: _copied(one, inside) for name, one in value.fields.items()})
    return value


FUNCTIONS: dict[str, Callable[..., Value]] = {"copy.copy": _copy, "copy.deepcopy": _deepcopy}
