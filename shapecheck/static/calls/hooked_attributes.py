"""`layer.register_forward_hook(...)`: a hook that returns a value replaces the input or output of the layer."""

from __future__ import annotations

import ast

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue, Instance, ModuleContainer
from shapecheck.static.domain.values import Method
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import read


def havoc_hooked_layer(run: Run, layer: ast.expr, hook: Value) -> None:
    """Makes the layer unknown from here on, unless the hook certainly returns nothing."""
    if not isinstance(layer, (ast.Name, ast.Attribute, ast.Subscript)) or _returns_nothing(hook):
        return
    holder = read(run, layer.value) if isinstance(layer, ast.Subscript) else None
    if isinstance(holder, ModuleContainer):
        run.journal.lose(holder)
    elif isinstance(read(run, layer), (ModuleSpec, ModuleContainer, Instance)) and not _is_self(run, layer):
        dispatch.assign(run, layer, Unknown("a result that a hook may change"))


def _returns_nothing(hook: Value) -> bool:
    function = hook.function if isinstance(hook, Method) else hook
    if not isinstance(function, FunctionValue) or isinstance(function.node, ast.Lambda):
        return False
    inside = (one for statement in function.node.body for one in ast.walk(statement))
    return not any(isinstance(one, ast.Return) and one.value is not None for one in inside)


def _is_self(run: Run, layer: ast.expr) -> bool:
    """Whether it is `self` of the current method: callers hold that object as well."""
    first = next(iter(run.frame.names.fields), None)
    return isinstance(layer, ast.Name) and layer.id == first and run.frame.call is not None
