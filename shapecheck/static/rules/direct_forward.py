"""`model.forward(x)` from outside the model: hooks are skipped."""

from __future__ import annotations

import ast

from shapecheck.ops import ModuleSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import Instance, ModuleContainer
from shapecheck.static.domain.values import BuiltinMethod, Method
from shapecheck.static.engine.hooks import method
from shapecheck.static.engine.places import text_of
from shapecheck.static.engine.run import Run


@method("direct-forward", "forward")
def from_outside(run: Run, node: ast.AST, called: Value) -> None:
    """Reports the call unless a method of the same object makes it, or it goes to a base class by `super()`."""
    if not isinstance(called, (Method, BuiltinMethod)) or not isinstance(node, ast.Call):
        return
    receiver, function = called.receiver, node.func
    if not _is_layer(receiver) or not isinstance(function, ast.Attribute) or _is_super(function.value):
        return
    if any(frame.names.fields.get("self") is receiver for frame in run.outward()):
        return
    model = text_of(function.value) or "module"
    run.report("direct-forward", node, f"{model}.forward() skips hooks; call {model}()")


def _is_layer(value: Value) -> bool:
    return isinstance(value, (ModuleSpec, ModuleContainer)) or (isinstance(value, Instance) and is_module(value.cls))


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
