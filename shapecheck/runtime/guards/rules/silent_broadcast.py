"""`(n,) - (n, 1)`, at run time."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Final

from torch import Tensor

from shapecheck.conditions import silent_broadcast as condition
from shapecheck.conditions.intent import Intent
from shapecheck.runtime.guards.call import OperatorCall
from shapecheck.runtime.guards.places import place_of_caller
from shapecheck.runtime.guards.rules.intents import intent_of_caller
from shapecheck.runtime.guards.rules.operands import in_order, observed, sign_of, spellings
from shapecheck.runtime.guards.rules.table import rule

_SUMS: Final = ("add", "sub", "div", "subtract", "divide", "true_divide")
"""Functions of sums, differences and quotients."""


class _Evidence:
    """The source around the call. The origin of its operands is unknown."""

    def __init__(self, frame: FrameType) -> None:
        self._frame = frame

    def source(self) -> str:
        return place_of_caller(self._frame).text

    def intent(self) -> Intent:
        return intent_of_caller(self._frame)

    def is_written(self, _axis: int, _sources: condition.AxisSource) -> None:
        return None


@rule(condition.CODE, spellings(_SUMS))
def silent_broadcast(call: OperatorCall) -> str | None:
    """Sums, differences and quotients. The intent of a product depends on the origin of its operands, unknown here."""
    if len(call.args) < 2:
        return None
    left, right = in_order(call)
    if not isinstance(left, Tensor) or not isinstance(right, Tensor) or left.dim() == right.dim():  # most calls
        return None
    found = condition.find(sign_of(call), observed(left), observed(right), _Evidence(sys._getframe(1)), is_sum=True)
    return None if found is None else found.message
