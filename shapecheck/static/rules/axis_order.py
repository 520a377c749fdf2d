"""`x.reshape(b, t, h * d)` of an x of shape (b, h, t, d): the sizes match, but the elements are shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from shapecheck.spec import Dim, Size, TensorSpec, same
from shapecheck.spec.dim import is_variable, variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, after
from shapecheck.static.provenance.conflicts import conflict_notes

_CODE: Final = "axis-order"


@after(_CODE, "reshape", "view")
def shuffled(call: AbstractCall, result: Value) -> Value:
    """Reports a result that merges named dimensions that are not adjacent, or splits one into such dimensions."""
    given = call.args[0] if call.args else None
    if not isinstance(given, TensorSpec) or not isinstance(result, TensorSpec) or not given.rank or not result.rank:
        return result
    if _is_shuffled(given.dims, result.dims) or _is_shuffled(result.dims, given.dims):
        call.run.report(
            _CODE,
            call.node,
            f"{call.name} merges dimensions that are not adjacent: {given.shape} -> {result.shape}; "
            "use permute or transpose first",
            partial(conflict_notes, call.run, call.node, call.name, (given,), {}),
        )
    return result


def _is_shuffled(separate: Sequence[Size], merged: Sequence[Size]) -> bool:
    """Whether one of the merged sizes is the product of two separate ones that are not adjacent.

    Each of the others must be one of the separate sizes, so that no other interpretation is possible.
    """
    if len(separate) != len(merged) + 1 or len(merged) < 2 or not all(isinstance(size, Dim) for size in separate):
        return False
    if len(set(separate)) < len(separate):
        return False
    products = [size for size in merged if size not in separate]
    rest = [size for size in separate if size not in merged]
    if len(products) != 1 or len(rest) != 2 or same(rest[0] * rest[1], products[0]) is not True:
        return False
    if _is_quotient(*rest) or _is_quotient(*reversed(rest)):
        return False
    first, second = (separate.index(size) for size in rest)
    return second - first > 1


def _is_quotient(size: Size, divisor: Size) -> bool:
    """Whether a size is the rest of another one, which may be 1: `x.view(batch, width, -1)`."""
    return not is_variable(size) and not variables(size).isdisjoint(variables(divisor))
