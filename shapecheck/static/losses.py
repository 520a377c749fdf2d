"""Losses whose two inputs broadcast: torch computes them, and the number means nothing."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.spec import ShapeError, TensorSpec, broadcast, same
from shapecheck.static.conflicts import conflict_notes
from shapecheck.static.machine import Machine
from shapecheck.static.values import Value

_BROADCASTING = frozenset(
    """
    mse_loss l1_loss smooth_l1_loss huber_loss kl_div poisson_nll_loss gaussian_nll_loss hinge_embedding_loss
    MSELoss L1Loss SmoothL1Loss HuberLoss KLDivLoss PoissonNLLLoss GaussianNLLLoss HingeEmbeddingLoss
    """.split()
)


def check_loss(machine: Machine, node: ast.AST, name: str, args: tuple[Value, ...]) -> None:
    """Reports a loss of `(n,)` against `(n, 1)`."""
    if name.rpartition(".")[2] not in _BROADCASTING or len(args) < 2:
        return
    input, target = args[:2]
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
    machine.report(
        "loss-broadcast",
        node,
        f"the input of {name.rpartition('.')[2]} is {a} and its target {b}: they broadcast to {both.shape}",
        partial(conflict_notes, machine, node, name, (input, target), {}),
    )
