"""`lstm(x)` of an x that its author calls (batch, time, features), with a layer that takes (time, batch, features).

The names are those of annotations, of patterns, and of `b, t, d = x.shape` of an argument. Names that a function gives
to a tensor of its caller prove less: the layer may have been changed since. `n` is no evidence, because dimensions
without a name may be called so.
"""

from __future__ import annotations

from typing import Final

from shapecheck.spec import Dim, Size, TensorSpec
from shapecheck.spec.terms import UNKNOWN, only_atom
from shapecheck.static.engine.hooks import AbstractCall, Called, before
from shapecheck.static.rules._batch_first import ATTENDING, RECURRENT, attention_of, batch_axis_of

_CODE: Final = "batch-axis"
_BATCHES = frozenset("b bs bsz batch batchsize batch_size nbatch".split())
_RANK = 3
_ORDERS = ("(batch, sequence, features)", "(sequence, batch, features)")


@before(_CODE, *map(Called, sorted(ATTENDING | RECURRENT)))
def of_input(call: AbstractCall) -> None:
    """Reports a layer that gets the batch as its sequence."""
    batch = batch_axis_of(call.layer if call.name in RECURRENT else attention_of(call.layer))
    value = call.args[0] if call.args else None
    if batch is None or not isinstance(value, TensorSpec) or value.rank != _RANK:
        return
    named = value.dims[1 - batch]
    if (
        _is_batch(named)
        and value.dims[batch] != 1
        and not _is_batch(value.dims[batch])
        and is_named_by_owner(call, named)
    ):
        option = "without" if batch else "with"
        message = f"{call.name} {option} batch_first=True takes {_ORDERS[batch]}, but the input is {value.shape}"
        call.run.report(_CODE, call.node, message)


def is_named_by_owner(call: AbstractCall, size: Size) -> bool:
    """Whether a name is that of an annotation, or one object both names a size and calls the layer, for any caller."""
    atom = only_atom(size.terms) if isinstance(size, Dim) else None
    is_unpacked = atom is not None and atom.kind == UNKNOWN
    objects = {id(frame.names.fields["self"]) for frame in call.run.frames if "self" in frame.names.fields}
    return not is_unpacked or len(objects) < 2


def _is_batch(size: Size) -> bool:
    atom = only_atom(size.terms) if isinstance(size, Dim) else None
    return atom is not None and str(size).lower() in _BATCHES
