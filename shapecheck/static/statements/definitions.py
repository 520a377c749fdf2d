"""What gives a name its meaning: functions, classes, type aliases, imports, `global` and `nonlocal`."""

from __future__ import annotations

import ast
from typing import Any

from shapecheck.static.calls.classes import class_value
from shapecheck.static.calls.decorators import enter
from shapecheck.static.calls.functions import function_value
from shapecheck.static.contracts.overloads import overloads_before
from shapecheck.static.domain.values import Alias
from shapecheck.static.engine.machine import Machine
from shapecheck.static.statements.imports import run_import


def define_function(machine: Machine, node: Any) -> bool:
    """`def`."""
    function = function_value(machine, node)
    function.overloads = overloads_before(machine.frame.names.fields.get(node.name))
    machine.journal.write(machine.frame.names, node.name, function)
    enter(machine, node.decorator_list, function)
    return True


def define_type_alias(machine: Machine, node: Any) -> bool:
    """`type X = ...`."""
    machine.journal.write(machine.frame.names, node.name.id, Alias(node.value, machine.frame.names))
    return True


def define_class(machine: Machine, node: ast.ClassDef) -> bool:
    """`class`."""
    made = class_value(machine, node)
    machine.journal.write(machine.frame.names, node.name, made)
    enter(machine, node.decorator_list, made)
    return True


def import_modules(machine: Machine, node: Any) -> bool:
    """`import` and `from ... import`."""
    run_import(machine, node)
    return True


def bind_outside(machine: Machine, node: ast.Global | ast.Nonlocal) -> bool:
    """`global`, `nonlocal`: from here on, names are bound where they were bound first."""
    frame, to_module = machine.frame, isinstance(node, ast.Global)
    for name in node.names:
        around = frame.names.parent
        while around is not None and around.parent is not None and (to_module or name not in around.fields):
            around = around.parent
        if around is not None:
            frame.outer[name] = around
    return True
