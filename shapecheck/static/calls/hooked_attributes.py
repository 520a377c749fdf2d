"""`layer.register_forward_hook(...)`: a hook that returns a value replaces the input or output of the layer."""

from __future__ import annotations

import ast

from shapecheck.ops import ModuleSpec
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.class_facts import HOOKED, is_module
from shapecheck.static.domain.objects import FunctionValue, Instance, ModuleContainer
from shapecheck.static.domain.values import BuiltinMethod, ExternalReference, Method, Partial
from shapecheck.static.engine.closures import reachable
from shapecheck.static.engine.holders import havoc_holders
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import read

_RETURNING_NOTHING = frozenset(
    "append extend add update insert clear remove print debug info error setattr __setitem__ __setattr__".split()
)
"""Functions and methods that return None, as in `lambda module, args, result: seen.append(result)`."""


def havoc_hooked_layer(run: Run, layer: ast.expr, function: Value, hook: Value) -> None:
    """Makes the results of the layer unknown from here on, unless the hook certainly returns nothing."""
    if _returns_nothing(hook):
        return
    known = function.receiver if isinstance(function, BuiltinMethod) else read(run, layer)
    for one in members_of(known):
        _havoc(run, one)
    if not isinstance(known, (ModuleSpec, ModuleContainer, Instance)) and _may_be_part(run, layer):
        for value in list(run.frame.names.fields.values()):
            for one in reachable(value, (Instance, ModuleContainer)):
                _havoc(run, one)


def _havoc(run: Run, layer: Value) -> None:
    if isinstance(layer, Instance) and is_module(layer.cls):
        run.journal.write(layer, HOOKED, True)
    elif isinstance(layer, ModuleContainer):
        run.journal.lose(layer)
    elif isinstance(layer, ModuleSpec):
        havoc_holders(run, layer)


def _may_be_part(run: Run, layer: ast.expr) -> bool:
    """Whether an unknown layer may be a part of a known module: what `modules()` or `get_submodule()` returned."""
    while isinstance(layer, (ast.Attribute, ast.Subscript)):
        layer = layer.value
    return isinstance(layer, ast.Call) or not isinstance(read(run, layer), (ModuleSpec, ModuleContainer, Instance))


def _returns_nothing(hook: Value) -> bool:
    while isinstance(hook, (Method, Partial)):
        hook = hook.function
    if isinstance(hook, ExternalReference):
        return hook.name.rpartition(".")[2] in _RETURNING_NOTHING
    if not isinstance(hook, FunctionValue):
        return False
    if isinstance(hook.node, ast.Lambda):
        return _is_none(hook.node.body)
    inside = (one for statement in hook.node.body for one in walk(statement))
    return not any(isinstance(one, ast.Return) and one.value is not None for one in inside)


def _is_none(node: ast.expr) -> bool:
    """Whether an expression is None, by the name of the method that it calls."""
    if isinstance(node, ast.Call):
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        return name in _RETURNING_NOTHING
    return isinstance(node, ast.Constant) and node.value is None
