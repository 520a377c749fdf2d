"""Classes of the project that derive from a layer: `class Block(nn.Sequential)`, `class Norm(nn.LayerNorm)`."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import LAYER, REGISTERING, base_layer
from shapecheck.static.domain.objects import Instance, ModuleContainer
from shapecheck.static.domain.values import BuiltinMethod, ExternalReference, SuperProxy
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import items_in
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.dict_subclasses import fill


def make_layer(
    run: Run, node: ast.AST | None, instance: Instance, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> None:
    """Runs the constructor of the layer that the class of an object derives from, if there is one."""
    name = base_layer(instance.cls)
    if name is not None:
        layer = dispatch.call(run, node or instance.cls.node, ExternalReference(name), args, kwargs)
        run.journal.write(instance, LAYER, layer)


def of_base(
    run: Run, node: ast.AST, base: SuperProxy, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """The result of `super().__init__(...)` or `super().forward(x)` if the next class is from outside the project."""
    items = items_in(base.receiver)
    if items is not None:
        if name == "__init__":
            fill(run, base.receiver, args, kwargs)
            return None
        return dispatch.call(run, node, BuiltinMethod(items, name), args, kwargs)
    if name == "__init__":
        make_layer(run, node, base.receiver, args, kwargs)
        return None
    layer = base.receiver.fields.get(LAYER)
    if name in ("forward", "__call__") and layer is not None:
        return dispatch.call_object(run, node, layer, args, kwargs)
    if isinstance(layer, ModuleContainer) or name in REGISTERING:
        return dispatch.call(run, node, BuiltinMethod(base.receiver, name), args, kwargs)
    return Unknown(f"{name} of an external base class")
