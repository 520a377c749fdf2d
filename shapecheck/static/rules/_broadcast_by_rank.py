"""`(..., 1) - (...)` of tensors whose leading dimensions are the same for each rank that the program accepts."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.conditions import silent_broadcast as rule
from shapecheck.conditions.intent import intent_of, mentions_pairs
from shapecheck.conditions.shared_lead import is_column_of
from shapecheck.ops import Trait
from shapecheck.spec import Shape, TensorSpec, broadcast, same
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._rank_hypotheses import possible_shapes
from shapecheck.static.rules._written_axes import is_written


@before(rule.CODE, Trait.SUM)
def outer_for_each_rank(call: AbstractCall) -> None:
    """Reports a difference that is an outer one for each rank. Origins are only recorded in the second run."""
    if len(call.args) != 2:
        return
    left, right = call.args
    if not isinstance(left, TensorSpec) or not isinstance(right, TensorSpec):
        return
    if left.rank is not None or right.rank is not None or mark_of(left) is not None or mark_of(right) is not None:
        return
    column, other = (left, right) if left.shape.tail else (right, left)
    if column.shape.head or column.shape.tail != (1,) or other.shape.head or other.shape.tail:
        return
    if is_column_of(column.shape, other.shape) or not _is_outer_for_each_rank(call, column, other):
        return
    found = rule.Outer(call.name, left.shape, right.shape, broadcast(left.shape, right.shape).shape)
    why = partial(conflict_notes, call.run, call.node, call.name, (left, right), {})
    call.run.report(rule.CODE, call.node, found.message, why, partial(causes_of_pair, call.run, call.node, left, right))


def _is_outer_for_each_rank(call: AbstractCall, column: TensorSpec, other: TensorSpec) -> bool:
    run = call.run
    if not run.origins.noted:
        return True
    if not is_written(run, column, -1, rule.AxisSource.KEEPDIM) and not _is_slice_of_one(run, column):
        return False
    if mentions_pairs(ast.unparse(call.node)) or intent_of(run.loaded.tree, call.node).inserts:
        return False
    shapes = [pair for pair in possible_shapes(run, column, other) if pair != (Shape((1,)), Shape())]
    return bool(shapes) and all(_are_column_and_vector(*pair) for pair in shapes)


def _is_slice_of_one(run: Run, column: TensorSpec) -> bool:
    """Whether the last dimension is one item of another tensor's: `x[..., 2:3]`."""
    made = run.origins.of_tensor(column)
    if made is None or made.callee != "__getitem__" or len(made.args) != 2:
        return False
    source, index = made.args
    is_slice = type(index) is tuple and len(index) > 1 and index[0] is ... and isinstance(index[-1], slice)
    return is_slice and isinstance(source, TensorSpec) and source.shape.at(-1) != 1


def _are_column_and_vector(column: Shape, other: Shape) -> bool:
    if column.rank != 2 or other.rank != 1 or column[-1] != 1:
        return False
    return same(column[0], other[0]) is True
