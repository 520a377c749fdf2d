"""Broadcasting of two tensors inside a distribution, with the findings of an operator."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.spec import Shape, ShapeError, TensorSpec, broadcast
from shapecheck.static.engine.hooks import AbstractCall
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.conflicts import conflict_notes


def broadcast_tensors(run: Run, node: ast.AST, name: str, left: TensorSpec, right: TensorSpec) -> Shape | None:
    """The shape that two tensors broadcast to; None, and a finding, if they do not broadcast."""
    for rule in run.rules.before.get(name):
        rule(AbstractCall(run, node, name, (left, right), {}))
    try:
        return broadcast(left.shape, right.shape).shape
    except ShapeError as refusal:
        why = partial(conflict_notes, run, node, name, (left, right), {}, str(refusal), refusal.sizes)
        run.report("shape-mismatch", node, f"{name}: {refusal}", why)
        return None
