"""Broadcasts that torch takes and nobody wanted."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.spec import ShapeError, TensorSpec, broadcast, same
from shapecheck.static.conflicts import conflict_notes
from shapecheck.static.distributions.table import KINDS
from shapecheck.static.rules._written_axes import ASKED, KEPT, RESHAPED, is_written
from shapecheck.static.rules.moments import Call, before

_SUMS = frozenset("+ - / add sub div subtract divide true_divide log_prob kl_divergence".split()) | KINDS.keys()
_PAIRS = frozenset("* mul multiply == != < <= > >= eq ne lt le gt ge".split())
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
