"""Statements that bind or unbind: `=`, annotated and augmented assignment, `del`."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.static.contracts.assignments import checked_assignment
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import without_none
from shapecheck.static.domain.class_facts import LAYER
from shapecheck.static.domain.objects import ITEMS, DictValue, Instance, ListValue, ModuleContainer
from shapecheck.static.domain.values import BuiltinMethod
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.iteration import items_in
from shapecheck.static.engine.run import Run
from shapecheck.static.models.nn.containers import without
from shapecheck.static.models.python.special_methods import call_special, special
from shapecheck.static.narrowing.repeated_names import assume_repeated_names
from shapecheck.static.narrowing.shape_names import refine_around_star, refine_from_unpacking
from shapecheck.static.operators.open_size_lists import change_sizes
from shapecheck.static.statements.raising import ends


def assign_each(run: Run, node: ast.Assign) -> bool:
    """`a = b = value`."""
    value = evaluate(run, node.value)
    if ends(run, value):
        return False
    for rule in run.rules.assigned.get("="):
        rule(run, node, value)
    for target in node.targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            _unpack(run, node, target, value)
        else:
            dispatch.assign(run, target, value)
    return True


def _unpack(run: Run, node: ast.Assign, target: ast.Tuple | ast.List, value: Value) -> None:
    around = refine_around_star(run, target, node.value, value)
    if around is None:
        value = refine_from_unpacking(run, target, node.value, value)
        assume_repeated_names(run, node, value)
        dispatch.assign(run, target, value)
        return
    for one, size in zip(target.elts, around, strict=True):
        dispatch.assign(run, one.value if isinstance(one, ast.Starred) else one, size)


def ann_assign(run: Run, node: ast.AnnAssign) -> bool:
    """`a: int = value`."""
    if node.value is None:
        return True
    value = evaluate(run, node.value)
    if ends(run, value):
        return False
    dispatch.assign(run, node.target, checked_assignment(run, node, value))
    return True


def delete(run: Run, node: ast.Delete) -> bool:
    """`del a`."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            run.journal.delete(run.frame.names, target.id)
        elif isinstance(target, ast.Attribute):
            _remove_attribute(run, evaluate(run, target.value), target.attr)
        elif isinstance(target, ast.Subscript):
            receiver, key = without_none(evaluate(run, target.value)), evaluate(run, target.slice)
            map_alternatives(run, partial(_remove_item, run, target), receiver, key)
    return True


def _remove_attribute(run: Run, receiver: Value, name: str) -> None:
    """`del a.name`: of an nn.Sequential, the layer of that name."""
    if isinstance(receiver, Instance):
        run.journal.delete(receiver, name)
        receiver = receiver.fields.get(LAYER)
    if isinstance(receiver, ModuleContainer) and name in receiver.items:
        run.journal.write(receiver, ITEMS, {key: one for key, one in receiver.items.items() if key != name})


def _remove_item(run: Run, node: ast.AST, receiver: Value, key: Value) -> Value:
    if isinstance(receiver, (ListValue, DictValue)):
        return dispatch.call(run, node, BuiltinMethod(receiver, "pop"), (key,), {})
    if isinstance(receiver, ModuleContainer):
        left = without(receiver, key)
        run.journal.lose(receiver) if left is None else run.journal.write(receiver, ITEMS, left)
    if isinstance(receiver, Instance):
        _remove_from_object(run, node, receiver, key)
    if isinstance(receiver, Unknown) and isinstance(node, ast.Subscript):
        change_sizes(run, node.value, "__delitem__", (key,))
    return None


def _remove_from_object(run: Run, node: ast.AST, receiver: Instance, key: Value) -> None:
    held = items_in(receiver) or receiver.fields.get(LAYER)
    if special(receiver, "__delitem__") is not None:
        call_special(run, node, receiver, "__delitem__", key)
    elif held is not None:
        _remove_item(run, node, held, key)
