"""Statements that bind or unbind: `=`, annotated and augmented assignment, `del`."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.spec import TensorSpec
from shapecheck.static.contracts.assignments import checked_assignment
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, without_none
from shapecheck.static.domain.class_facts import LAYER
from shapecheck.static.domain.objects import ITEMS, DictValue, Instance, ListValue, ModuleContainer, SetValue
from shapecheck.static.domain.values import BuiltinMethod
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.iteration import items_in
from shapecheck.static.engine.run import Run
from shapecheck.static.models.nn.containers import without
from shapecheck.static.models.python.special_methods import call_special, special
from shapecheck.static.narrowing.shape_names import refine_around_star, refine_from_unpacking
from shapecheck.static.statements.raising import ends


def assign_each(run: Run, node: ast.Assign) -> bool:
    """`a = b = value`."""
    value = evaluate(run, node.value)
    if ends(run, value):
        return False
    for target in node.targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            _unpack(run, target, node.value, value)
        else:
            dispatch.assign(run, target, value)
    return True


def _unpack(run: Run, target: ast.Tuple | ast.List, source: ast.expr, value: Value) -> None:
    around = refine_around_star(run, target, source, value)
    if around is None:
        dispatch.assign(run, target, refine_from_unpacking(run, target, source, value))
        return
    for one, size in zip(target.elts, around, strict=True):
        dispatch.assign(run, one, size)


def ann_assign(run: Run, node: ast.AnnAssign) -> bool:
    """`a: int = value`."""
    if node.value is None:
        return True
    value = evaluate(run, node.value)
    if ends(run, value):
        return False
    dispatch.assign(run, node.target, checked_assignment(run, node, value))
    return True


def aug_assign(run: Run, node: ast.AugAssign) -> bool:
    """`a += value`."""
    left, right = evaluate(run, node.target), evaluate(run, node.value)
    if _changes_in_place(run, node, without_none(left), right):
        return True
    result = dispatch.binary(run, node, node.op, without_none(left), without_none(right))
    if isinstance(left, TensorSpec) and isinstance(result, TensorSpec) and isinstance(node.target, ast.Subscript):
        result = result.with_dtype(left.dtype)  # an augmented assignment to a part of a tensor is in place
    dispatch.assign(run, node.target, result)
    return True


_EXTENDING: dict[tuple[type, type], str] = {
    (ListValue, ast.Add): "extend",
    (ModuleContainer, ast.Add): "extend",
    (DictValue, ast.BitOr): "update",
    (SetValue, ast.BitOr): "update",
}


def _changes_in_place(run: Run, node: ast.AugAssign, left: Value, right: Value) -> bool:
    """Applies an augmented assignment to a collection, which other names may refer to as well."""
    layer = left.fields.get(LAYER) if isinstance(left, Instance) else left
    name = _EXTENDING.get((type(layer), type(node.op)))
    if name is not None and not isinstance(right, Alternatives):
        dispatch.call(run, node, BuiltinMethod(layer, name), (right,), {})
        return True
    return False


def delete(run: Run, node: ast.Delete) -> bool:
    """`del a`."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            run.journal.delete(run.frame.names, target.id)
        elif isinstance(target, ast.Attribute):
            receiver = evaluate(run, target.value)
            if isinstance(receiver, Instance):
                run.journal.delete(receiver, target.attr)
        elif isinstance(target, ast.Subscript):
            receiver, key = without_none(evaluate(run, target.value)), evaluate(run, target.slice)
            map_alternatives(run, partial(_remove_item, run, target), receiver, key)
    return True


def _remove_item(run: Run, node: ast.AST, receiver: Value, key: Value) -> Value:
    if isinstance(receiver, (ListValue, DictValue)):
        return dispatch.call(run, node, BuiltinMethod(receiver, "pop"), (key,), {})
    if isinstance(receiver, ModuleContainer):
        left = without(receiver, key)
        run.journal.lose(receiver) if left is None else run.journal.write(receiver, ITEMS, left)
    if isinstance(receiver, Instance):
        _remove_from_object(run, node, receiver, key)
    return None


def _remove_from_object(run: Run, node: ast.AST, receiver: Instance, key: Value) -> None:
    held = items_in(receiver) or receiver.fields.get(LAYER)
    if special(receiver, "__delitem__") is not None:
        call_special(run, node, receiver, "__delitem__", key)
    elif held is not None:
        _remove_item(run, node, held, key)
