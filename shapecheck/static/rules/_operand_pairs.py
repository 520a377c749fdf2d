"""The operands that an elementwise operator aligns: those of a sum, of a mask, of a condition and what it selects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shapecheck.ops import Trait
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall

ALIGNING: Final = (Trait.SUM, Trait.PAIRS, "masked_fill", "masked_fill_", "where")
"""The selectors of such operators."""


def operand_pairs(call: AbstractCall) -> Iterator[tuple[Value, Value]]:
    """The first operand with each of the others: two of `where`, one of any other operator."""
    last = 3 if call.name == "where" else 2
    return ((call.args[0], other) for other in call.args[1:last])
