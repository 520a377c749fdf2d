"""Broadcasting of two tensors inside a distribution, with the findings of an operator."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.spec import Shape, ShapeError, TensorSpec, broadcast
from shapecheck.static.engine.hooks import AbstractCall
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.causes import Replacement, causes_of_call
from shapecheck.static.provenance.conflicts import conflict_notes


def broadcast_tensors(run: Run, node: ast.AST, name: str, left: TensorSpec, right: TensorSpec) -> Shape | None:
    """The shape that two tensors broadcast to; None, and a finding, if they do not broadcast."""
    for rule in run.rules.before.get(name):
        rule(AbstractCall(run, node, name, (left, right), {}))
    try:
        return broadcast(left.shape, right.shape).shape
    except ShapeError as refusal:
        why = partial(conflict_notes, run, node, name, (left, right), {}, str(refusal), refusal.sizes)
        run.report("shape-mismatch", node, f"{name}: {refusal}", why, partial(_causes, run, node, left, right, refusal))
        return None


def _causes(run: Run, node: ast.AST, left: TensorSpec, right: TensorSpec, refusal: ShapeError) -> tuple[str, ...]:
    def works(replaced: Replacement) -> bool:
        try:
            broadcast(*(replaced.get(id(one), one).shape for one in (left, right)))
        except ShapeError:
            return False
        return True

    return causes_of_call(run, node, None, (left, right), {}, "shape", works, refusal.sizes)
