"""Statements that bind or unbind: `=`, annotated and augmented assignment, `del`."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.spec import TensorSpec
from shapecheck.static.contracts.assignments import annotated
from shapecheck.static.domain.alternatives import without_none
from shapecheck.static.domain.values import Builtin, Container, DictValue, Instance, ListValue, Value
from shapecheck.static.engine.case_splitting import on_each
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.machine import Machine
from shapecheck.static.narrowing.shape_names import learnt_around_star, learnt_names


def assign_each(machine: Machine, node: ast.Assign) -> bool:
    """`a = b = value`."""
    value = evaluate(machine, node.value)
    for target in node.targets:
        around = learnt_around_star(machine, target, node.value, value)
        if around is None or not isinstance(target, (ast.Tuple, ast.List)):
            dispatch.assign(machine, target, learnt_names(machine, target, node.value, value))
            continue
        for one, size in zip(target.elts, around, strict=True):
            dispatch.assign(machine, one, size)
    return True


def ann_assign(machine: Machine, node: ast.AnnAssign) -> bool:
    """`a: int = value`."""
    if node.value is not None:
        dispatch.assign(machine, node.target, annotated(machine, node, evaluate(machine, node.value)))
    return True


def aug_assign(machine: Machine, node: ast.AugAssign) -> bool:
    """`a += value`."""
    left, right = evaluate(machine, node.target), evaluate(machine, node.value)
    result = dispatch.binary(machine, node, node.op, without_none(left), without_none(right))
    if isinstance(left, TensorSpec) and isinstance(result, TensorSpec) and isinstance(node.target, ast.Subscript):
        result = result.with_dtype(left.dtype)  # the part is changed where it lies
    dispatch.assign(machine, node.target, result)
    return True


def delete(machine: Machine, node: ast.Delete) -> bool:
    """`del a`."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            machine.journal.delete(machine.frame.names, target.id)
        elif isinstance(target, ast.Attribute):
            receiver = evaluate(machine, target.value)
            if isinstance(receiver, Instance):
                machine.journal.delete(receiver, target.attr)
        elif isinstance(target, ast.Subscript):
            receiver, key = without_none(evaluate(machine, target.value)), evaluate(machine, target.slice)
            on_each(machine, partial(_remove_item, machine, target), receiver, key)
    return True


def _remove_item(machine: Machine, node: ast.AST, receiver: Value, key: Value) -> Value:
    if isinstance(receiver, (ListValue, DictValue)):
        return dispatch.call(machine, node, Builtin(receiver, "pop"), (key,), {})
    if isinstance(receiver, Container):
        machine.journal.lose(receiver)
    return None
