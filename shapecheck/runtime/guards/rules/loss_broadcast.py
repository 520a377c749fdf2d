"""A loss whose two inputs have different shapes, at run time."""

from __future__ import annotations

import sys
from functools import partial
from typing import Final

from torch import Tensor

from shapecheck.conditions import loss_broadcast as condition
from shapecheck.runtime.guards.call import OperatorCall
from shapecheck.runtime.guards.rules.intents import intent_of_caller
from shapecheck.runtime.guards.rules.operands import observed
from shapecheck.runtime.guards.rules.table import rule

_TO_INPUT: Final = "soft_margin_loss"
"""Broadcasts its target to the shape of its input."""
_LOSSES: Final = (
    *("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "poisson_nll_loss", "gaussian_nll_loss"),
    *("hinge_embedding_loss", _TO_INPUT),
)
"""Functions that compare element by element."""


@rule(condition.CODE, _LOSSES)
def loss_broadcast(call: OperatorCall) -> str | None:
    """Losses that compare element by element; the layers of losses call their functions."""
    scores, target = call.argument(0, "input"), call.argument(1, "target")
    if not isinstance(scores, Tensor) or not isinstance(target, Tensor) or scores.shape == target.shape:
        return None
    intent = partial(intent_of_caller, sys._getframe(1))
    found = condition.find(call.name, observed(scores), observed(target), intent, to_input=call.name == _TO_INPUT)
    return None if found is None else found.message
