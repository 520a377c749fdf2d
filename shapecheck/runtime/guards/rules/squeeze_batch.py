"""`squeeze()` without a dimension, for a batch of one, at run time."""

from __future__ import annotations

from torch import Tensor

from shapecheck.conditions import squeeze_batch as condition
from shapecheck.runtime.guards.call import OperatorCall
from shapecheck.runtime.guards.rules.operands import observed
from shapecheck.runtime.guards.rules.table import rule


@rule(condition.CODE, condition.OPERATORS)
def squeeze_batch(call: OperatorCall) -> str | None:
    """The first dimension is removed together with another one of size 1."""
    tensor = call.args[0] if call.args else None
    if not isinstance(tensor, Tensor) or len(call.args) > 1 or call.kwargs:
        return None
    found = condition.find(observed(tensor).shape, of_one_run=True)
    return None if found is None else found.message
