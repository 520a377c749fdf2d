"""`x + positions.unsqueeze(1)` of an x of shape (b, t, d) and positions of shape (t, d): t is aligned with the batch.

With the dimension of 1 at another place, all sizes agree. Both operands are broadcast, so torch refuses no call in
which the batch happens to have t samples, or one.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from shapecheck.ops import Trait
from shapecheck.spec import Shape, Size, TensorSpec, same
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._named_sizes import is_named

_CODE: Final = "shape-mismatch"
_LEAST_RANK = 3
"""A column and a row are also combined for all pairs."""


@before(_CODE, Trait.SUM)
def of_operand(call: AbstractCall) -> None:
    """Reports two operands of a sum or difference."""
    if len(call.args) > 1:
        _report(call, call.args[0], call.args[1])


def _report(call: AbstractCall, one: Value, other: Value) -> None:
    if not isinstance(one, TensorSpec) or not isinstance(other, TensorSpec) or not one.rank or one.rank != other.rank:
        return
    if one.rank < _LEAST_RANK or mark_of(one) is not None or mark_of(other) is not None:
        return
    for part, whole in ((other, one), (one, other)):
        meant = _meant(tuple(part.dims), tuple(whole.dims))
        if meant is not None:
            at = next(index for index, size in enumerate(part.dims) if size != 1 and meant[index] == 1)
            why = partial(conflict_notes, call.run, call.node, call.name, (one, other), {})
            causes = partial(causes_of_pair, call.run, call.node, part, whole)
            needed = f"unless {part.dims[at]} and {whole.dims[at]} are equal; expected {Shape(meant)}"
            shapes = f"cannot broadcast {part.shape} and {whole.shape}"
            call.run.report(_CODE, call.node, f"{call.name}: {shapes} {needed}", why, causes)
            return


def _meant(part: tuple[Size, ...], whole: tuple[Size, ...]) -> tuple[Size, ...] | None:
    """The sizes of an operand with its 1 at another place, if they are then those of the other one."""
    wrong = [at for at, (size, of) in enumerate(zip(part, whole, strict=True)) if _differs(size, of)]
    if len(wrong) != 1 or 1 in whole:
        return None
    size = part[wrong[0]]
    places = [to for to, one in enumerate(part) if one == 1 and same(whole[to], size) is True]
    if len(places) != 1 or part.count(1) != 1:
        return None
    exchanged = {wrong[0]: 1, places[0]: size}
    meant = tuple(exchanged.get(at, one) for at, one in enumerate(part))
    return None if any(map(_differs, meant, whole)) else meant


def _differs(size: Size, of: Size) -> bool:
    """Whether two sizes have different names."""
    return is_named(size) and is_named(of) and same(size, of) is not True
