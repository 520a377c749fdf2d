"""`out[:, i] = column`: `(n, 1)` cannot be assigned to `(n,)`, except for an `n` of 1."""

from __future__ import annotations

from functools import partial
from typing import Final

from shapecheck.conditions.shared_lead import is_column_of
from shapecheck.diagnostics import Note
from shapecheck.ops import infer
from shapecheck.spec import Dim, Shape, ShapeError, Size, TensorSpec, same
from shapecheck.spec import substitute as put_in
from shapecheck.spec.dim import variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, after
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes

CODE: Final = "column-assignment"
_LONG: Final = 97


@after(CODE, "__setitem__", "index_put_", "index_put")
def assigned(call: AbstractCall, result: Value) -> Value:
    """Reports a column that is assigned to selected elements."""
    value = call.run.knowledge.settled(call.argument(2, "values"))
    if not isinstance(value, TensorSpec) or not _may_be_column(value.shape):
        return result
    tensor, key = call.argument(0, "input"), to_ops(call.argument(1, "indices"))
    key = tuple(key) if isinstance(key, list) and call.name != "__setitem__" else key
    try:
        selected = infer("__getitem__", to_ops(tensor), key)
    except ShapeError:
        return result
    if isinstance(selected, TensorSpec):
        _check(call, selected, value)
    return result


def _may_be_column(shape: Shape) -> bool:
    return shape.least_rank > 0 and shape.at(-1) == 1 and (shape.rank is None or shape.rank > 1)


def _check(call: AbstractCall, into: TensorSpec, value: TensorSpec) -> None:
    """Reports `(n, 1)` for elements of shape `(n,)`: an error of torch for every `n` but 1."""
    given, slot = value.shape, into.shape
    if not (is_column_of(given, slot) or _is_column_for(given, slot)):
        return
    message = f"cannot assign a value of shape {given} to elements of shape {slot}, except for a size of 1"
    why = partial(_notes, call, value, into)
    call.run.report(CODE, call.node, message, why, partial(causes_of_pair, call.run, call.node, into, value))


def _notes(call: AbstractCall, value: TensorSpec, into: TensorSpec) -> list[Note]:
    return list(conflict_notes(call.run, call.node, call.name, (into, value), {}))


def _is_column_for(given: Shape, slot: Shape) -> bool:
    """Whether a shape is that of the elements with a last dimension of 1 added, and each size may be more than 1."""
    if not slot.rank or given.rank != slot.rank + 1:
        return False
    if not isinstance(given[0], Dim) or _is_one(given[0]) or _is_one(slot[-1]):
        return False
    return all(same(one, other) is not False for one, other in zip(given.dims[:-1], slot.dims, strict=True))


def _is_one(size: Size) -> bool:
    """Whether a size is 1, also that of `x[i : i + 1]` for long tensors."""
    return put_in(size, dict.fromkeys(variables(size), _LONG)) == 1
