"""`x + mlp(x)` of widths n and 2*n: they broadcast only for an n of 1, and a layer is built with n.

A dimension of a tensor may well be 1, such as the channels of a mask. The width of a layer is what its user chooses.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from shapecheck.ops import Trait
from shapecheck.spec import Dim, Size, TensorSpec, same
from shapecheck.spec.dim import has_unnamed, variables, without_common_factor
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._owners import widths

_CODE: Final = "off-default"


@before(_CODE, Trait.SUM, Trait.PAIRS)
def of_operands(call: AbstractCall) -> None:
    """Reports two operands of an elementwise operator."""
    one, other = call.args[:2] if len(call.args) > 1 else (None, None)
    if not isinstance(one, TensorSpec) or not isinstance(other, TensorSpec):
        return
    for place in range(-1, -min(_known(one), _known(other)) - 1, -1):
        left, right = one.shape.at(place), other.shape.at(place)
        width = _only_one(left, right)
        if width is not None and mark_of(one) is mark_of(other) is None and _is_width(call.run, width):
            shapes = f"cannot broadcast {one.shape} and {other.shape}: {left} != {right} in dimension {place}"
            why = partial(conflict_notes, call.run, call.node, call.name, (one, other), {})
            causes = partial(causes_of_pair, call.run, call.node, one, other)
            call.run.report(_CODE, call.node, f"{call.name}: {shapes} (works only for {width}=1)", why, causes)
            return


def _known(value: TensorSpec) -> int:
    """How many sizes at the end of a shape are known."""
    return len(value.shape.tail) if value.rank is None else value.rank


def _only_one(left: Size | None, right: Size | None) -> Dim | None:
    """The smaller of two sizes if the other one is a multiple of it by a number, so that it must be 1 to broadcast."""
    if not isinstance(left, Dim) or not isinstance(right, Dim) or has_unnamed(left) or has_unnamed(right):
        return None
    for smaller, factors in ((left, (left, right)), (right, (right, left))):
        least, most = without_common_factor(*factors)
        if least == 1 and type(most) is int and most > 1:
            return None if same(smaller, 1) is not None else smaller
    return None


def _is_width(run: Run, size: Dim) -> bool:
    """Whether a weight of a running module has a dimension that depends on this size."""
    sought = variables(size)
    return any(not sought.isdisjoint(variables(one)) for one in widths(run))
