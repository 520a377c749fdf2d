"""`x.reshape(b, s, d * heads)` of an x of shape (b, s, d): as many times too many elements as there are heads."""

from __future__ import annotations

from functools import partial
from typing import Final

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, after
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._axis_moves import times_as_many

_CODE: Final = "shape-mismatch"


@after(_CODE, "reshape", "view")
def of_other_number(call: AbstractCall, result: Value) -> Value:
    """Reports a reshape that works only if a size is 1 by which the numbers of elements differ."""
    given = call.args[0] if call.args else None
    if not isinstance(given, TensorSpec) or not isinstance(result, TensorSpec) or not given.rank or not result.rank:
        return result
    factor = times_as_many(tuple(given.dims), tuple(result.dims))
    if factor is not None:
        call.run.report(
            _CODE,
            call.node,
            f"{call.name}: cannot arrange {given.shape} as {result.shape} unless {factor} is 1",
            partial(conflict_notes, call.run, call.node, call.name, (given,), {}),
        )
    return result
