"""Broadcasts that torch takes and nobody wanted."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.ops import ModuleSpec
from shapecheck.spec import ShapeError, TensorSpec, broadcast, same
from shapecheck.static.domain.distribution_classes import KINDS
from shapecheck.static.engine.hooks import Call, before
from shapecheck.static.engine.machine import Machine
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._written_axes import ASKED, KEPT, RESHAPED, is_written

_SUMS = frozenset("+ - / add sub div subtract divide true_divide".split())
_PAIRS = frozenset("* mul multiply == != < <= > >= eq ne lt le gt ge log_prob kl_divergence".split()) | KINDS.keys()
_REDUCING = frozenset("sum mean amax amin norm std var logsumexp vector_norm".split())
_WANTED = ("unsqueeze", "None", "newaxis", "meshgrid", "outer", "view", "reshape", "expand")


@before("silent-broadcast", *_SUMS, *_PAIRS)
def outer_result(call: Call) -> None:
    """Reports `(n,) - (n, 1)`: two tensors of different rank that both expand, where nobody wrote it so.

    For sums, floating ones alone. A product or a comparison may be wanted; of `(n,)` and `(n, 1)`, the same items, it
    is not.
    """
    if len(call.args) < 2:
        return
    left, right = call.args[:2]
    if not isinstance(left, TensorSpec) or not isinstance(right, TensorSpec):
        return
    if left.rank is None or right.rank is None or left.rank == right.rank:
        return
    axis = _same_items(left, right)
    if call.name in _PAIRS and axis is None:
        return
    if call.name in _SUMS and not all(one.dtype is not None and one.dtype.is_floating for one in (left, right)):
        return
    try:
        both = broadcast(left.shape, right.shape)
    except ShapeError:
        return
    if both.outer and not any(word in ast.unparse(call.node) for word in _WANTED) and not _was_asked_for(call, axis):
        call.machine.report(
            "silent-broadcast",
            call.node,
            f"{left.shape} {call.name} {right.shape} broadcasts to {both.shape}: both sides are expanded",
            partial(conflict_notes, call.machine, call.node, call.name, (left, right), {}),
        )


def _same_items(left: TensorSpec, right: TensorSpec) -> int | None:
    """Of `(n,)` and `(n, 1)`, or `(n, h, w)` and `(n, 1, h, w)`, the axis (negative) of size 1."""
    few, many = sorted((left, right), key=lambda one: len(one.dims))
    if len(many.dims) != len(few.dims) + 1:
        return None
    for axis in range(-1, -len(many.dims), -1):
        if many.dims[axis] == 1 and all(map(_is_same, many.shape.without(axis).dims, few.dims)):
            return axis
    return None


def _is_same(one: object, other: object) -> bool:
    return same(one, other) is True  # type: ignore[arg-type]


def _was_asked_for(call: Call, axis: int | None) -> bool:
    """Whether somebody wrote the axis of size 1, in another statement.

    Of the same items a sum by `view(-1, 1)` or `keepdim=True` is the mistake itself, of others it is meant.
    """
    many = max(call.args[:2], key=lambda one: len(one.dims))
    if axis is not None:
        return is_written(call.machine, many, axis, ASKED | RESHAPED if call.name in _PAIRS else ASKED)
    axes = [index for index in range(-1, -len(many.dims), -1) if many.dims[index] == 1]
    return any(is_written(call.machine, many, index, ASKED | RESHAPED | {KEPT}) for index in axes)


@before("silent-broadcast", "/", "-", "div", "sub", "divide", "subtract", "true_divide")
def lined_up(call: Call) -> None:
    """Reports a matrix of equal sizes against what is left of itself once its last axis is reduced.

    Of other sizes torch refuses it. Where it comes from is only noted when the entry runs for the second time.
    """
    matrix, reduced = call.args[0], call.args[1] if len(call.args) > 1 else None
    if not isinstance(matrix, TensorSpec) or not isinstance(reduced, TensorSpec):
        return
    if matrix.rank != 2 or reduced.rank != 1 or matrix.dtype is None or not matrix.dtype.is_floating:
        return
    if not (same(matrix.dims[0], matrix.dims[1]) and same(matrix.dims[0], reduced.dims[0])):
        return
    if _is_reduced(call.machine, matrix, reduced):
        call.machine.report(
            "silent-broadcast",
            call.node,
            f"{matrix.shape} {call.name} {reduced.shape}: the reduced axis is the last one, and the result is lined up "
            "with it; write keepdim=True in the reduction",
        )


def _is_reduced(machine: Machine, matrix: TensorSpec, reduced: TensorSpec) -> bool:
    """Whether the last axis of this very tensor was reduced; suspected where nothing is noted."""
    made = machine.origins.of_tensor(reduced)
    if made is None:
        return not machine.origins.noted
    if isinstance(made.callee, ModuleSpec) or made.callee.rpartition(".")[2] not in _REDUCING:
        return False
    dim = made.kwargs.get(
        "dim", made.kwargs.get("axis", next((one for one in made.args[1:] if type(one) is int), None))
    )
    return bool(made.args) and made.args[0] is matrix and dim in (1, -1)
