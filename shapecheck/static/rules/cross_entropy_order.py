"""The losses of classes with their arguments the wrong way round."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import DType, TensorSpec
from shapecheck.static.engine.hooks import OperatorCall, before


@before("cross-entropy-order", "cross_entropy", "nll_loss", "CrossEntropyLoss()", "NLLLoss()")
def swapped(call: OperatorCall) -> Unknown | None:
    """Reports integers where the scores are due and floats where the classes are."""
    scores, classes = _dtype(call.argument(0, "input")), _dtype(call.argument(1, "target"))
    if scores is None or classes is None or scores.is_floating or scores.is_complex or not classes.is_floating:
        return None
    name = call.name.removesuffix("()")
    return call.run.report(
        "cross-entropy-order",
        call.node,
        f"{name}: the input is {scores} and the target {classes}, as if they were swapped; "
        "the scores come first, then the classes",
    )


def _dtype(value: object) -> DType | None:
    return value.dtype if isinstance(value, TensorSpec) else None
