"""Train mode: the contract holds there too, and results have the same shapes and dtypes."""

from __future__ import annotations

from collections.abc import Iterator

from torch.utils import _pytree as pytree

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import check
from shapecheck.harness.faults import rejects_sizes
from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.call import shown


@check(30)
def train(context: CheckContext) -> Iterator[Diagnostic]:
    """One call in train mode."""
    context.model.train()
    try:
        tried = context.run(context.plan)
    finally:
        context.model.eval()
    if tried.error is not None:
        if not rejects_sizes(tried.error):
            yield context.failed(tried, "in train mode")
        return
    if pytree.tree_structure(tried.output) != pytree.tree_structure(context.reference.output):
        context.notes.append("results have a different structure in train mode")
        return
    for one, other in zip(flat(tried.output), context.outputs(), strict=True):
        if one.shape != other.shape or one.dtype != other.dtype:
            message = f"result is {shown(one)} in train mode, but {shown(other)} in eval mode"
            yield context.finding("mode-dependence", message)
