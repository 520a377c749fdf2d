"""Augmented assignment, `a += value`, which changes a collection or a tensor in place."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.spec import Shape, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, without_none
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.class_facts import LAYER
from shapecheck.static.domain.floats import as_operand
from shapecheck.static.domain.objects import DictValue, Instance, ListValue, ModuleContainer, SetValue
from shapecheck.static.domain.values import BuiltinMethod
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.rank_learning import learn_shape
from shapecheck.static.engine.run import Run

_EXTENDING: dict[tuple[type, type], str] = {
    (ListValue, ast.Add): "extend",
    (ModuleContainer, ast.Add): "extend",
    (DictValue, ast.BitOr): "update",
    (SetValue, ast.BitOr): "update",
}
_IN_PLACE: dict[type[ast.operator], str] = {
    ast.Add: "iadd",
    ast.Sub: "isub",
    ast.Mult: "imul",
    ast.Div: "itruediv",
    ast.FloorDiv: "ifloordiv",
    ast.Mod: "imod",
    ast.Pow: "ipow",
    ast.BitAnd: "iand",
    ast.BitOr: "ior",
    ast.BitXor: "ixor",
    ast.LShift: "ilshift",
    ast.RShift: "irshift",
}
"""The operators that change a tensor in place; `x @= y` binds a new tensor."""


def aug_assign(run: Run, node: ast.AugAssign) -> bool:
    """`a += value`."""
    left, right = evaluate(run, node.target), evaluate(run, node.value)
    if not _is_scaled(node, left) and not _changes_in_place(run, node, without_none(left), right):
        dispatch.assign(run, node.target, _augmented(run, node, without_none(left), without_none(right)))
    return True


def _is_scaled(node: ast.AugAssign, left: Value) -> bool:
    """Whether it changes the elements of an unknown tensor, `m.weight.data /= scale`, which keeps its shape."""
    is_data = isinstance(node.target, ast.Attribute) and node.target.attr == "data"
    return is_data and type(node.op) in _IN_PLACE and isinstance(left, Unknown)


def _changes_in_place(run: Run, node: ast.AugAssign, left: Value, right: Value) -> bool:
    """Applies an augmented assignment to a collection, which other names may refer to as well."""
    layer = left.fields.get(LAYER) if isinstance(left, Instance) else left
    name = _EXTENDING.get((type(layer), type(node.op)))
    if name is not None and not isinstance(right, Alternatives):
        dispatch.call(run, node, BuiltinMethod(layer, name), (right,), {})
        return True
    return False


def _augmented(run: Run, node: ast.AugAssign, left: Value, right: Value) -> Value:
    """The result of the operator; a tensor keeps its shape and dtype, and refuses any other result."""
    if isinstance(left, Alternatives) or isinstance(right, Alternatives):
        return map_alternatives(run, partial(_augmented, run, node), left, right)
    result = dispatch.binary(run, node, node.op, left, right)
    name = _IN_PLACE.get(type(node.op))
    if name is None or not isinstance(left, TensorSpec) or not isinstance(result, TensorSpec) or mark_of(result):
        return result
    if result.shape == left.shape and result.dtype == left.dtype:
        return result
    written = dispatch.torch_call(run, node, f"operator.{name}", (left, as_operand(right)), {})
    if not isinstance(written, TensorSpec):  # it is refused
        return written
    if left.rank is None:
        learn_shape(run, left.shape, result.shape)
    kept = _written_into(left, result)
    run.origins.made(kept, f"operator.{name[1:]}", (left, right), {}, node, run.frame.scope)
    return kept


def _written_into(left: TensorSpec, result: TensorSpec) -> TensorSpec:
    shape, strides = _shape_of_both(left.shape, result.shape), None
    if shape == left.shape:
        strides = left.strides
    return TensorSpec.make(shape, left.dtype or result.dtype, left.layout, result.device, strides)


def _shape_of_both(into: Shape, given: Shape) -> Shape:
    """The shape of a tensor into which a result of this shape is written."""
    if into.rank is None:
        return into
    if into.rank != given.rank:
        return given
    pairs = zip(into.dims, given.dims, strict=True)
    return Shape(tuple(new if isinstance(new, int) and not isinstance(old, int) else old for old, new in pairs))
