"""A loss whose two inputs have different shapes, while it runs."""

from __future__ import annotations

from torch import Tensor

from shapecheck.conditions import loss_broadcast as condition
from shapecheck.runtime.guards.call import OperatorCall
from shapecheck.runtime.guards.rules.operands import observed
from shapecheck.runtime.guards.rules.table import rule


@rule(condition.CODE, condition.OPERATORS)
def loss_broadcast(call: OperatorCall) -> str | None:
    """Losses that compare element by element; the layers of losses call their functions."""
    scores, target = call.argument(0, "input"), call.argument(1, "target")
    if not isinstance(scores, Tensor) or not isinstance(target, Tensor) or scores.shape == target.shape:
        return None
    found = condition.find(call.name, observed(scores), observed(target))
    return None if found is None else found.message
