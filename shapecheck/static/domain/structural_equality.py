"""Structural equality of modules, such as the layers that a loop appends."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.static.domain.abstract_values import Field, Value
from shapecheck.static.domain.join import same_value
from shapecheck.static.domain.objects import SUMMARY, Instance, ModuleContainer

_DEEPEST = 8


def structurally_equal(one: Value, other: Value, depth: int = 0) -> bool:
    """Whether two values have the same class, and equal fields and layers."""
    if one is other or same_value(one, other):
        return True
    if type(one) is not type(other) or depth > _DEEPEST:
        return False
    if isinstance(one, Instance) and isinstance(other, Instance):
        return one.cls is other.cls and _same_fields(one.fields, other.fields, depth)
    if isinstance(one, ModuleContainer) and isinstance(other, ModuleContainer):
        return one.kind == other.kind and _same_fields(_parts(one), _parts(other), depth)
    return False


def _parts(value: ModuleContainer) -> Mapping[Field, Value]:
    parts: dict[Field, Value] = {"lost": value.lost, **{f"item {name}": one for name, one in value.items.items()}}
    return parts | {"each": value.fields[SUMMARY]} if SUMMARY in value.fields else parts


def _same_fields(one: Mapping[Field, Value], other: Mapping[Field, Value], depth: int) -> bool:
    return one.keys() == other.keys() and all(structurally_equal(one[name], other[name], depth + 1) for name in one)
