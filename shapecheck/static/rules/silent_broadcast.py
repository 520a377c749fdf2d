"""Broadcasts that torch takes and nobody wanted."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.spec import ShapeError, TensorSpec, broadcast, same
from shapecheck.static.conflicts import conflict_notes
from shapecheck.static.rules.moments import Call, before

_SUMS = frozenset("+ - / add sub div subtract divide true_divide".split())
_PAIRS = frozenset("* mul multiply eq".split())
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
    if call.name in _PAIRS and not _same_items(left, right):
        return
    if call.name in _SUMS and not all(one.dtype is not None and one.dtype.is_floating for one in (left, right)):
        return
    try:
        both = broadcast(left.shape, right.shape)
    except ShapeError:
        return
    if both.outer and not any(word in ast.unparse(call.node) for word in _WANTED):
        call.machine.report(
            "silent-broadcast",
            call.node,
            f"{left.shape} {call.name} {right.shape} broadcasts to {both.shape}: both sides are expanded",
            partial(conflict_notes, call.machine, call.node, call.name, (left, right), {}),
        )


def _same_items(left: TensorSpec, right: TensorSpec) -> bool:
    """`(n,)` and `(n, 1)`."""
    row, column = sorted((left, right), key=lambda one: len(one.dims))
    return len(row.dims) == 1 and len(column.dims) == 2 and same(row.dims[0], column.dims[0]) is True
