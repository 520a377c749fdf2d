"""A loss whose two inputs have different shapes, so that it is taken over pairs."""

from __future__ import annotations

from torch import Tensor

from shapecheck.runtime.guards.call import OperatorCall, shown
from shapecheck.runtime.guards.rules.table import rule

_NAMES = (
    *("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "poisson_nll_loss", "gaussian_nll_loss"),
    *("hinge_embedding_loss", "soft_margin_loss", "binary_cross_entropy_with_logits"),
)


@rule("loss-broadcast", _NAMES)
def loss_broadcast(call: OperatorCall) -> str | None:
    """Losses that compare element by element."""
    scores, target = call.argument(0, "input"), call.argument(1, "target")
    if not isinstance(scores, Tensor) or not isinstance(target, Tensor) or scores.shape == target.shape:
        return None
    if not scores.dim() or not target.dim():  # one number against all is written on purpose
        return None
    return f"the loss compares {shown(scores)} with {shown(target)}, which broadcast: it is taken over pairs"
