"""Classification losses with swapped arguments."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import DType, TensorSpec
from shapecheck.static.engine.hooks import AbstractCall, Called, before


@before("cross-entropy-order", "cross_entropy", "nll_loss", Called("CrossEntropyLoss"), Called("NLLLoss"))
def swapped(call: AbstractCall) -> Unknown | None:
    """Reports integers in place of the scores, and floats in place of the class indices."""
    scores, classes = _dtype(call.argument(0, "input")), _dtype(call.argument(1, "target"))
    if scores is None or classes is None or scores.is_floating or scores.is_complex or not classes.is_floating:
        return None
    return call.run.report(
        "cross-entropy-order",
        call.node,
        f"{call.name}: expected floating-point scores and integer classes, got {scores} and {classes}; "
        "swap the arguments",
    )


def _dtype(value: object) -> DType | None:
    return value.dtype if isinstance(value, TensorSpec) else None
