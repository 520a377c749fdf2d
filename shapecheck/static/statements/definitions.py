"""Statements that define names: functions, classes, type aliases, imports, `global` and `nonlocal`."""

from __future__ import annotations

import ast
import sys

from shapecheck.static.calls.classes import class_value
from shapecheck.static.calls.decorators import register_by_decorators
from shapecheck.static.calls.functions import function_value
from shapecheck.static.calls.transparent_decorators import has_transparent_decorators
from shapecheck.static.contracts.overloads import overloads_before
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.domain.values import TypeAlias
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.escape import havoc_escaped
from shapecheck.static.engine.run import Run
from shapecheck.static.statements.imports import run_import


def define_function(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """`def`."""
    function = function_value(run, node)
    function.overloads = overloads_before(run.frame.names.fields.get(node.name))
    accessor = next((one for one in node.decorator_list if _extends_property(one)), None)
    if isinstance(accessor, ast.Attribute):
        run.journal.write(run.frame.names, node.name, evaluate(run, accessor.value))
        run.journal.write(run.frame.names, f"{node.name}.{accessor.attr}", function)
        return True
    run.journal.write(run.frame.names, node.name, function)
    _note_conditional(run, function)
    register_by_decorators(run, node.decorator_list, function)
    if node.decorator_list and not has_transparent_decorators(node):
        havoc_escaped(run, (function,))
    return True


def _extends_property(node: ast.expr) -> bool:
    """Whether it is the decorator `@name.setter` or `@name.deleter`, which leaves the getter in place."""
    return isinstance(node, ast.Attribute) and node.attr in ("setter", "deleter")


def define_class(run: Run, node: ast.ClassDef) -> bool:
    """`class`."""
    made = class_value(run, node)
    run.journal.write(run.frame.names, node.name, made)
    _note_conditional(run, made)
    register_by_decorators(run, node.decorator_list, made)
    return True


def _note_conditional(run: Run, made: ClassValue | FunctionValue) -> None:
    """Records what a module defines in a branch: whether its name is bound to it afterwards may be unknown."""
    names = run.frame.names
    if names.parent is None and run.frame.open_branches and run.session.modules.get(names.loaded) is names:
        run.session.conditional.setdefault(names, []).append(made)


def import_modules(run: Run, node: ast.Import | ast.ImportFrom) -> bool:
    """`import` and `from ... import`."""
    run_import(run, node)
    return True


if sys.version_info >= (3, 12):

    def define_type_alias(run: Run, node: ast.TypeAlias) -> bool:
        """`type X = ...`."""
        run.journal.write(run.frame.names, node.name.id, TypeAlias(node.value, run.frame.names))
        return True


def bind_outside(run: Run, node: ast.Global | ast.Nonlocal) -> bool:
    """`global`, `nonlocal`: from here on, assignments bind the names in an outer namespace."""
    frame, to_module = run.frame, isinstance(node, ast.Global)
    for name in node.names:
        around = frame.names.parent
        while around is not None and around.parent is not None and (to_module or name not in around.fields):
            around = around.parent
        if around is not None:
            frame.outer[name] = around
    return True
