"""Losses whose two inputs broadcast: torch computes them, and the number means nothing."""

from __future__ import annotations

from functools import partial

from shapecheck.spec import ShapeError, TensorSpec, broadcast, same
from shapecheck.static.engine.hooks import Call, before
from shapecheck.static.provenance.conflicts import conflict_notes

_BROADCASTING = """
    mse_loss l1_loss smooth_l1_loss huber_loss kl_div poisson_nll_loss gaussian_nll_loss hinge_embedding_loss
    MSELoss() L1Loss() SmoothL1Loss() HuberLoss() KLDivLoss() PoissonNLLLoss() GaussianNLLLoss() HingeEmbeddingLoss()
    """.split()


@before("loss-broadcast", *_BROADCASTING)
def pairs(call: Call) -> None:
    """Reports a loss of `(n,)` against `(n, 1)`."""
    input, target = call.argument(0, "input"), call.argument(1, "target")
    if not isinstance(input, TensorSpec) or not isinstance(target, TensorSpec):
        return
    a, b = input.shape, target.shape
    if a.rank is None or b.rank is None:
        return
    differ = a.rank != b.rank or any(same(x, y) is False for x, y in zip(a.dims, b.dims, strict=True))
    if not differ or not a.dims or not b.dims:
        return
    try:
        both = broadcast(a, b)
    except ShapeError:
        return
    name = call.name.removesuffix("()")
    call.machine.report(
        "loss-broadcast",
        call.node,
        f"the input of {name} is {a} and its target {b}: they broadcast to {both.shape}",
        partial(conflict_notes, call.machine, call.node, name, (input, target), {}),
    )
