"""Losses whose two inputs broadcast: torch computes them, and the number means nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shapecheck.conditions.operand import Operand
from shapecheck.spec import Shape, ShapeError, broadcast, same

CODE: Final = "loss-broadcast"
_TO_INPUT: Final = "soft_margin_loss"
"""Broadcasts the target to the input, and refuses any other pair."""
OPERATORS: Final = (
    *("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "poisson_nll_loss", "gaussian_nll_loss"),
    *("hinge_embedding_loss", _TO_INPUT),
)
"""Losses that compare element by element."""
LAYERS: Final = (
    *("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "KLDivLoss", "PoissonNLLLoss", "GaussianNLLLoss"),
    *("HingeEmbeddingLoss", "SoftMarginLoss"),
)
"""Their layers, in the same order."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """A loss compares every element of one input with several of the other."""

    loss: str
    input: Shape
    target: Shape
    result: Shape

    @property
    def message(self) -> str:
        """What the user reads."""
        return f"the input of {self.loss} is {self.input} and its target {self.target}: they broadcast to {self.result}"


def find(loss: str, input: Operand, target: Operand) -> Pairs | None:
    """Two inputs of different shape, neither a scalar: one number against all is written on purpose."""
    a, b = input.shape, target.shape
    if not a.rank or not b.rank:
        return None
    if a.rank == b.rank and not any(same(x, y) is False for x, y in zip(a.dims, b.dims, strict=True)):
        return None
    try:
        result = broadcast(a, b).shape
    except ShapeError:
        return None
    if loss in (_TO_INPUT, LAYERS[OPERATORS.index(_TO_INPUT)]) and result != a:
        return None
    return Pairs(loss, a, b, result)
