"""Base classes of torch and Python, and classes of the project that derive from a layer, such as `nn.Sequential`."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import LAYER, REGISTERING
from shapecheck.static.domain.external_bases import MODULE, ExternalBase, is_layer
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, ModuleContainer
from shapecheck.static.domain.values import BuiltinMethod, ExternalReference, SuperProxy
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import items_in
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.dict_subclasses import fill


def initialize_base(
    run: Run,
    node: ast.AST | None,
    instance: Instance,
    base: ExternalBase | None,
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
) -> Value:
    """Runs the constructor of a base class from outside the project, and those that it calls by `super()`."""
    if items_in(instance) is not None:
        fill(run, instance, args, kwargs)
        return None
    if base is None:
        return None
    if not base.is_certain:
        return Unknown("a constructor that is possibly not the next one")
    if is_layer(base.name):
        layer = dispatch.call(run, node or instance.cls.node, ExternalReference(base.name), args, kwargs)
        run.journal.write(instance, LAYER, layer)
        with run.silenced():
            return _initialize_next(run, node, instance, _last_layer(instance.cls, base), (), {})
    if base.name == MODULE and calls_next_constructor(instance.cls):
        return _initialize_next(run, node, instance, base, args, kwargs)
    return None


def _last_layer(cls: ClassValue, base: ExternalBase) -> ExternalBase:
    """The layer that a layer derives from, or itself: its constructor calls the next one without arguments."""
    after = cls.order[cls.order.index(base) + 1]
    return after if isinstance(after, ExternalBase) and is_layer(after.name) else base


def _initialize_next(
    run: Run,
    node: ast.AST | None,
    instance: Instance,
    base: ExternalBase,
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
) -> Value:
    """Runs the constructor that follows a base class in method resolution order."""
    holder = instance.cls.holder("__init__", base)
    if not isinstance(holder, ClassValue):
        return initialize_base(run, node, instance, holder, args, kwargs)
    constructor = holder.fields["__init__"]
    if isinstance(constructor, FunctionValue):
        dispatch.run_function(run, node, constructor, (instance, *args), kwargs)
    return None


def calls_next_constructor(cls: ClassValue) -> bool:
    """Whether the constructor of nn.Module calls the next one: only with `call_super_init`, which is False."""
    return next((one.fields["call_super_init"] for one in cls.mro() if "call_super_init" in one.fields), False) is True


def of_base(
    run: Run, node: ast.AST, base: SuperProxy, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """The result of `super().__init__(...)` or `super().forward(x)` if the next class is from outside the project."""
    receiver = base.receiver
    if not isinstance(receiver, Instance):
        return Unknown(f"{name} of an external base class")
    holder = receiver.cls.holder(name, base.cls)
    if isinstance(holder, ClassValue):
        return Unknown(f"{name} of an attribute that changed")
    if name == "__init__":
        return initialize_base(run, node, receiver, holder, args, kwargs)
    items = items_in(receiver)
    if items is not None:
        return dispatch.call(run, node, BuiltinMethod(items, name), args, kwargs)
    layer = receiver.fields.get(LAYER)
    if name in ("forward", "__call__") and layer is not None and holder is not None and is_layer(holder.name):
        return dispatch.call_object(run, node, layer, args, kwargs)
    if isinstance(layer, ModuleContainer) or name in REGISTERING:
        return dispatch.call(run, node, BuiltinMethod(receiver, name), args, kwargs)
    return Unknown(f"{name} of an external base class")
