"""Losses that broadcast their two inputs: torch computes them, and the result is meaningless."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from shapecheck.conditions.intent import Intent
from shapecheck.conditions.operand import Operand
from shapecheck.conditions.shared_lead import is_column_of
from shapecheck.spec import Shape, ShapeError, broadcast, same

CODE: Final = "loss-broadcast"


class Pairs(NamedTuple):
    """A loss compares every element of one input with several of the other."""

    loss: str
    input: Shape
    target: Shape
    result: Shape

    @property
    def message(self) -> str:
        """What the user reads."""
        return (
            f"{self.loss} broadcasts input {self.input} and target {self.target} to {self.result}; "
            "give both the same shape"
        )


def find(
    loss: str, input: Operand, target: Operand, intent: Callable[[], Intent], *, to_input: bool = False
) -> Pairs | None:
    """Two inputs of different shapes, for a loss that compares them element by element.

    A scalar compared with every element is deliberate, and so are all pairs, `loss(a[:, None], b[None])`, and one item
    compared with many, `loss(mean.unsqueeze(0), samples)`. to_input: whether the loss broadcasts its target to the
    shape of its input, and refuses any other pair.
    """
    a, b = input.shape, target.shape
    if is_column_of(a, b) or is_column_of(b, a):
        return None if intent().inserts else Pairs(loss, a, b, broadcast(a, b).shape)
    if not a.rank or not b.rank:
        return None
    if a.rank == b.rank and not any(same(x, y) is False for x, y in zip(a.dims, b.dims, strict=True)):
        return None
    try:
        both = broadcast(a, b)
    except ShapeError:
        return None
    if to_input and both.shape != a:
        return None
    if intent().is_outer if both.outer else a.rank == b.rank and intent().inserts:
        return None
    return Pairs(loss, a, b, both.shape)
