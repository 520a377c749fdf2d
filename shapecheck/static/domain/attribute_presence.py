"""Whether an object has an attribute, as far as its class and its fields tell."""

from __future__ import annotations

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import MaybeAbsent
from shapecheck.static.domain.class_facts import UNNAMED
from shapecheck.static.domain.external_bases import HUB_MIXIN, MODULES, OF_HUB_MIXIN, OF_MODULES
from shapecheck.static.domain.objects import AttributeNamespace, Instance, SymbolicInstance

_PLAIN_BASES = frozenset(("builtins.object", "abc.ABC", "typing.Generic", "typing.NamedTuple"))


def has_attribute(value: Value, name: str) -> bool | None:
    """Whether an object has an attribute; None if unknown."""
    if isinstance(value, AttributeNamespace):
        return name in value.fields
    if not isinstance(value, Instance):
        return None
    is_in_class = any(name in cls.fields for cls in value.cls.mro())
    if is_in_class or name in value.fields:
        return None if type(value.fields.get(name)) is MaybeAbsent and not is_in_class else True
    if UNNAMED in value.fields:
        return None
    return False if value.cls.outside() <= _PLAIN_BASES and not _has_dynamic_attributes(value) else None


def _has_dynamic_attributes(value: Instance) -> bool:
    """Whether the attributes of an object may differ from those that are known."""
    names = ("__getattr__", "__getattribute__", "__slots__")
    return isinstance(value, SymbolicInstance) or any(name in cls.fields for cls in value.cls.mro() for name in names)


def lacks_attribute(value: Value, name: str) -> bool:
    """Whether nothing gives an attribute to a module or a plain object; code that is not seen may have set it."""
    if not isinstance(value, Instance) or has_attribute(value, name) or {name, UNNAMED} & value.fields.keys():
        return False
    if _has_dynamic_attributes(value) or not value.cls.outside() <= _PLAIN_BASES | MODULES | {HUB_MIXIN}:
        return False
    return not name.startswith("__") and name not in OF_MODULES | OF_HUB_MIXIN | {"training"}
