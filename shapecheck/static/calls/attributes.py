"""Attribute access, by the kind of the object."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import DType, TensorSpec
from shapecheck.static.calls.decorators import is_static_wrapped
from shapecheck.static.calls.outside_attributes import of_argument, of_external
from shapecheck.static.calls.tensor_uses import MODULE_METHODS, PROPERTIES, called_attributes, shows_tensor
from shapecheck.static.contracts.instantiation import declared_attribute
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import MaybeAbsent, present
from shapecheck.static.domain.array_likes import is_shared_attribute, mark_of
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.class_facts import LAYER, UNNAMED, fields_of
from shapecheck.static.domain.class_identity import type_of
from shapecheck.static.domain.class_variables import class_variable_set_elsewhere
from shapecheck.static.domain.distributions import DistributionSpec
from shapecheck.static.domain.enums import attribute_of as member_attribute
from shapecheck.static.domain.enums import is_enum, member_of, members_by_name, method_of
from shapecheck.static.domain.late_names import current
from shapecheck.static.domain.objects import (
    AttributeNamespace,
    ClassValue,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    Namespace,
    SetValue,
    SymbolicInstance,
)
from shapecheck.static.domain.torch_names import is_modelled
from shapecheck.static.domain.unknown_options import UNKNOWN_KINDS
from shapecheck.static.domain.values import (
    BuiltinMethod,
    EnumMember,
    ExternalReference,
    Method,
    Partial,
    SummarySequence,
    SuperProxy,
)
from shapecheck.static.engine.call_refinement import refine_to_tensor
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import items_in
from shapecheck.static.engine.run import Run
from shapecheck.static.models.distributions.methods import attribute_of as distribution_attribute
from shapecheck.static.models.nn.children import modules_in
from shapecheck.static.models.numpy.methods import attribute_of as array_attribute
from shapecheck.static.models.python.argument_parser import Parser
from shapecheck.static.models.python.descriptors import is_descriptor
from shapecheck.static.models.python.dict_subclasses import attribute_in
from shapecheck.static.models.python.dicts import METHODS
from shapecheck.static.models.python.namespaces import attributes_of, tensors_in
from shapecheck.static.models.python.special_methods import call_special
from shapecheck.static.operators.wrong_kind import report_attribute

_DEVICE: Final = Other("device")
"""What `x.device` is: an object that equals no string; `ops` describes devices by their names."""

_OPTIONAL = frozenset(("grad", "grad_fn"))
"""The attributes of tensors that are None or not, depending on what was computed."""


def attribute(run: Run, node: ast.AST, value: Value, name: str) -> Value:
    """Returns the value of `value.name`."""
    if type(value) is ExternalReference:
        return of_external(value, name)
    if type(value) in UNKNOWN_KINDS:
        return Unknown(f"attribute {name} of an unknown value")
    if run.inputs is not None and shows_tensor(run, node, name):
        value = refine_to_tensor(run, value, array_like=is_shared_attribute(name))
    return _of_known(run, node, value, name)


def _of_known(run: Run, node: ast.AST, value: Value, name: str) -> Value:
    if isinstance(value, Instance):
        return _of_instance(run, node, value, name)
    if isinstance(value, SuperProxy):
        return _of_super(run, node, value, name)
    if isinstance(value, TensorSpec):
        return _of_tensor(run, node, value, name)
    if isinstance(value, ClassValue):
        unknown = class_variable_set_elsewhere(value, name, run.frame.function)
        return _of_class(value, name) if unknown is None else unknown
    if isinstance(value, EnumMember) and (method := method_of(value, name)) is not None:
        return bind_attribute(run, node, method, value)
    if isinstance(value, tuple) and (wrong := report_attribute(run, node, value, name)) is not None:
        return wrong
    for kind, rule in _RULES:
        if isinstance(value, kind):
            return rule(value, name)
    is_read = name not in PROPERTIES and node not in called_attributes(run.loaded.tree)
    return of_argument(run, value, name) if is_read else Unknown(f"attribute {name} of an unknown value")


def _of_tensor(run: Run, node: ast.AST, value: TensorSpec, name: str) -> Value:
    if name == "layout" and value.layout != "unknown":
        return ExternalReference("torch.strided")
    if mark_of(value) is not None and not is_shared_attribute(name) and not is_modelled(f"Tensor.{name}"):
        return Unknown(f"attribute {name} of an array")
    if name == "device" and mark_of(value) is None:
        return _DEVICE
    if name in PROPERTIES:
        return dispatch.torch_call(run, node, f"Tensor.{name}", (value,), {})
    if name in _OPTIONAL:
        return Unknown(f"attribute {name} of a tensor, which may be None")
    return BuiltinMethod(value, name)


def _of_namespace(value: Namespace, name: str) -> Value:
    return current(value.fields.get(name, Unknown(f"no name {name}")))


def _of_fields(value: AttributeNamespace, name: str) -> Value:
    return attributes_of(value) if name == "__dict__" else value.fields.get(name, Unknown(f"no attribute {name}"))


def _of_layer(value: ModuleSpec, name: str) -> Value:
    if name == "__class__":
        return type_of(value)
    return BuiltinMethod(value, name) if name in MODULE_METHODS or name == "forward" else _field(value, name)


def _of_container(value: ModuleContainer, name: str) -> Value:
    if name == "_modules":
        return value
    if name == "__class__":
        return type_of(value)
    if name in value.fields:
        return value.fields[name]
    return BuiltinMethod(value, name) if value.lost or name not in value.items else value.items[name]


def _of_tuple(value: tuple[Value, ...], name: str) -> Value:
    return getattr(value, name) if name in getattr(value, "_fields", ()) else BuiltinMethod(value, name)


def _field(value: ModuleSpec, name: str) -> Value:
    if name in value.open:
        return Unknown(f"attribute {name} of a layer")
    found = getattr(value, name, Unknown(f"no attribute {name}"))
    return Unknown(f"no value for attribute {name}") if callable(found) and not isinstance(found, ModuleSpec) else found


def _of_instance(run: Run, node: ast.AST, value: Instance, name: str) -> Value:
    if name in value.fields:
        found = value.fields[name]
        if type(found) is MaybeAbsent:
            return _of_one_branch(value, name, found)
        return declared_attribute(run, value, name, found) if isinstance(found, Unknown) else found
    if name in _SPECIAL:
        return _SPECIAL[name](value)
    if "__class__" in value.fields:
        return Unknown("an attribute of an object whose class was replaced")
    try:
        found = value.cls.lookup(name)
    except KeyError:
        if LAYER in value.fields:
            return attribute(run, node, value.fields[LAYER], name)
        return _fallback_attribute(run, node, value, name)
    if isinstance(value, SymbolicInstance) and not _is_of_class(value, name, found):
        return declared_attribute(run, value, name, Unknown(f"attribute {name} of an unknown {value.cls.node.name}"))
    unknown = class_variable_set_elsewhere(value.cls, name, run.frame.function)
    return bind_attribute(run, node, found, value) if unknown is None else unknown


def _is_of_class(value: Instance, name: str, found: Value) -> bool:
    """Whether an attribute of a class is that of its instances: a method, not the default of a dataclass's field."""
    return isinstance(found, ClassValue) or (isinstance(found, FunctionValue) and name not in fields_of(value.cls))


def _of_one_branch(value: Instance, name: str, found: MaybeAbsent) -> Value:
    """An attribute that only one branch has set: the class may have one, too; without it, code that reads it fails."""
    try:
        value.cls.lookup(name)
    except KeyError:
        return Unknown(f"attribute {name}, which may be set elsewhere") if UNNAMED in value.fields else present(found)
    return Unknown(f"attribute {name} of an object or of its class")


def _modules_of(value: Instance) -> Value:
    """`_modules` of a module."""
    layer = value.fields.get(LAYER)
    return modules_in(value) if layer is None else layer


_SPECIAL: dict[str, Callable[[Instance], Value]] = {
    "__class__": lambda value: value.cls,
    "__dict__": attributes_of,
    "__setattr__": lambda value: BuiltinMethod(value, "__setattr__"),
    "_modules": _modules_of,
    "_parameters": tensors_in,
    "_buffers": tensors_in,
}
"""Attributes that are found before those of the class."""


def _fallback_attribute(run: Run, node: ast.AST, value: Instance, name: str) -> Value:
    """An attribute found neither on the instance nor on its class: of dict, of nn.Module, or from `__getattr__`."""
    items = items_in(value)
    if items is not None:
        found = attribute_in(value, name)
        if found is not None and (name in items.items or name not in METHODS):
            return found
        if name in METHODS:
            return BuiltinMethod(items, name)
    if name in MODULE_METHODS:
        return BuiltinMethod(value, name)
    computed = (
        None if name.startswith("_") or name == "training" else call_special(run, node, value, "__getattr__", name)
    )
    if computed is not None:
        return computed
    for rule in run.rules.unfound.get("*"):
        rule(run, node, value, name)
    return declared_attribute(run, value, name, Unknown(f"no attribute {name}"))


def is_static(function: ast.AST) -> bool:
    """Whether a function of a class is a static method, which receives no object."""
    return "staticmethod" in _decorators(function)


def bind_attribute(run: Run, node: ast.AST, found: Value, receiver: Instance | EnumMember) -> Value:
    """Binds the attribute `found` of a class to an instance or a member, as the descriptor protocol does."""
    if not isinstance(found, FunctionValue):
        return Unknown("an attribute that a descriptor computes") if is_descriptor(found) else found
    decorators = _decorators(found.node)
    if not decorators:
        return Method(found, receiver)
    if "staticmethod" in decorators:
        return Unknown("a wrapper of a static method") if is_static_wrapped(run, found) else found
    if "classmethod" in decorators:
        return Method(found, receiver.cls)
    if "property" in decorators:
        return dispatch.call(run, node, Method(found, receiver), (), {})
    if "cached_property" in decorators:
        value = dispatch.call(run, node, Method(found, receiver), (), {})
        if isinstance(receiver, Instance):
            run.journal.write(receiver, found.name, value)
        return value
    return Method(found, receiver)


@cached_on_node
def _decorators(node: ast.AST) -> frozenset[str]:
    return frozenset(name_of_callee(one) for one in getattr(node, "decorator_list", ()))


def _of_class(value: ClassValue, name: str) -> Value:
    if name == "__name__":
        return value.node.name
    if name == "__members__" and is_enum(value):
        return DictValue(members_by_name(value))
    member = member_of(value, name)
    if member is not None:
        return member
    try:
        found = value.lookup(name)
    except KeyError:
        return _autograd_apply(value) if name == "apply" else Unknown(f"no attribute {name}")
    return _bind_to_class(found, value)


def _bind_to_class(found: Value, cls: ClassValue) -> Value:
    """Binds the attribute `found` of a class to the class through which it is read."""
    if isinstance(found, FunctionValue) and "classmethod" in _decorators(found.node):
        return Method(found, cls)
    return found


def _autograd_apply(value: ClassValue) -> Value:
    """`apply` of a `torch.autograd.Function`: its forward with a context, if it takes one."""
    function = _of_class(value, "forward")
    if value.outside().isdisjoint(_AUTOGRAD) or isinstance(function, Unknown):
        return Unknown("no attribute apply")
    if any("setup_context" in cls.fields for cls in value.mro()):
        return Partial(function, (), {})
    if not value.outside() <= _AUTOGRAD | _WITHOUT_SETUP:
        return Unknown("an autograd function whose other bases may set up its context")
    return Partial(function, (Unknown("context of an autograd function"),), {})


_WITHOUT_SETUP = frozenset(("builtins.object", "abc.ABC", "typing.Generic"))
_AUTOGRAD = frozenset(("torch.autograd.Function", "torch.autograd.function.Function"))


def _of_dtype(value: DType, name: str) -> Value:
    known = {
        "is_floating_point": value.is_floating,
        "is_complex": value.is_complex,
        "is_signed": value.kind in ("signed", "float", "complex"),
        "itemsize": value.itemsize,
    }
    return known.get(name, Unknown(f"attribute {name} of a dtype"))


def _of_function(value: FunctionValue, name: str) -> Value:
    return value.name if name == "__name__" else Unknown(f"attribute {name} of a function")


def _of_partial(value: Partial, name: str) -> Value:
    known = {"func": value.function, "args": value.args, "keywords": DictValue(dict(value.kwargs))}
    return known.get(name, Unknown(f"attribute {name} of a partial function"))


def _of_super(run: Run, node: ast.AST, value: SuperProxy, name: str) -> Value:
    receiver = value.receiver
    cls = receiver if isinstance(receiver, ClassValue) else receiver.cls
    if value.cls not in cls.order:
        return Unknown("super() of another class")
    holder = cls.holder(name, value.cls)
    if not isinstance(holder, ClassValue):
        return BuiltinMethod(value, name) if holder is None or holder.is_certain else Unknown("an unknown base class")
    found = holder.fields[name]
    if isinstance(receiver, ClassValue):
        return _bind_to_class(found, receiver)
    return bind_attribute(run, node, found, receiver)


_RULES: tuple[tuple[type | tuple[type, ...], Callable[..., Value]], ...] = (
    (DType, _of_dtype),
    (DistributionSpec, distribution_attribute),
    (ArraySpec, array_attribute),
    (Namespace, _of_namespace),
    (AttributeNamespace, _of_fields),
    (EnumMember, member_attribute),
    (Partial, _of_partial),
    (FunctionValue, _of_function),
    (ModuleSpec, _of_layer),
    (ModuleContainer, _of_container),
    (tuple, _of_tuple),
    ((ListValue, DictValue, SetValue, SummarySequence, Parser, str, int, float), BuiltinMethod),
)


dispatch.attribute = attribute
