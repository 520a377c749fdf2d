"""Classes and functions as values: `type(x)`, and whether two of them are the same object."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import Dim
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.external_bases import MODULES, is_layer
from shapecheck.static.domain.objects import (
    ClassValue,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    SetValue,
)
from shapecheck.static.domain.placeholders import NegativeDefault
from shapecheck.static.domain.runtime_types import is_class, is_instance
from shapecheck.static.domain.torch_names import is_modelled
from shapecheck.static.domain.values import (
    EnumMember,
    ExternalReference,
    NamedTupleClass,
    OpaqueInstance,
    TypeOf,
)


def type_of(value: Value, *more: Value) -> Value:
    """The result of `type(value)`."""
    if not more and isinstance(value, OpaqueInstance):
        return ExternalReference(value.cls) if isinstance(value.cls, str) else value.cls
    if more or isinstance(value, Unknown):
        return Unknown("an unknown type")
    if isinstance(value, (Instance, EnumMember)):
        return value.cls
    layer = value.kind if isinstance(value, ModuleContainer) else getattr(value, "name", "")
    if isinstance(value, (ModuleSpec, ModuleContainer)) and not layer.startswith("Lazy"):
        return ExternalReference(f"torch.nn.{layer}") if is_layer(f"torch.nn.{layer}") else TypeOf(value)
    if isinstance(value, tuple) and type(value) is not tuple:
        return NamedTupleClass(type(value))
    plain = _BUILTIN.get(type(value))
    return TypeOf(value) if plain is None else ExternalReference(f"builtins.{plain}")


def same_class(one: Value, other: Value) -> bool | None:
    """Whether two classes or functions are the same object; None if unknown."""
    if isinstance(one, TypeOf) or isinstance(other, TypeOf):
        kind, value = (other, one) if isinstance(one, TypeOf) else (one, other)
        different = isinstance(value, TypeOf) and is_class(kind) and is_instance(value.value, kind) is False
        return False if different else None
    if one is other or (isinstance(one, ExternalReference) and one == other):
        return True
    if isinstance(one, ExternalReference) and isinstance(other, ExternalReference):
        return _same_outside(one, other)
    if isinstance(one, ExternalReference) or isinstance(other, ExternalReference):
        outside, inside = (one, other) if isinstance(one, ExternalReference) else (other, one)
        return False if has_identity(inside) and _name_of(inside) != _name_of(outside) else None
    if not has_identity(one) or not has_identity(other):
        return None
    if isinstance(one, NamedTupleClass) and isinstance(other, NamedTupleClass):
        return one.make is other.make
    return False


def has_identity(value: Value) -> bool:
    """Whether it is a class, or a function that no decorator replaces, so that it equals nothing else."""
    if isinstance(value, FunctionValue):
        return not getattr(value.node, "decorator_list", ())
    return is_class(value) or (isinstance(value, ExternalReference) and is_modelled(value.name))


def _same_outside(one: ExternalReference, other: ExternalReference) -> bool | None:
    """Whether two names from outside denote the same object: torch has some of them in several modules."""
    if one.name in MODULES and other.name in MODULES:
        return True
    if not has_identity(one) or not has_identity(other):
        return None
    if _name_of(one) != _name_of(other):
        return False
    return True if is_layer(one.name) and is_layer(other.name) else None


def _name_of(value: Value) -> str:
    if isinstance(value, ExternalReference):
        return value.name.rpartition(".")[2]
    return value.node.name if isinstance(value, ClassValue) else getattr(value, "name", "")


_BUILTIN: dict[type, str] = {
    **{one: one.__name__ for one in (bool, int, float, str, bytes, tuple)},
    Dim: "int",
    NegativeDefault: "int",
    ListValue: "list",
    DictValue: "dict",
    SetValue: "set",
    range: "range",
}
