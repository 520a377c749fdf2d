"""Results keep the precision of the model: float32 inputs give neither float64 nor a 16-bit dtype."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.divergence import divergence_diagnostic, steps
from shapecheck.harness.search.attempt import tensors
from shapecheck.runtime.guards.call import shown
from shapecheck.runtime.hints import ArrayHint, walk

_WRONG = {torch.float64: "float64-leak", torch.float16: "precision-leak", torch.bfloat16: "precision-leak"}


@check(6)
def precision(context: CheckContext) -> Iterator[Diagnostic]:
    """The reference run again, for a model and inputs of float32 alone."""
    if not is_float32(context):
        raise Skip("floating-point tensors are not all torch.float32")
    allowed = _named(context)
    wrong = next((one for one in context.outputs() if one.dtype in _WRONG and one.dtype not in allowed), None)
    if wrong is None or _WRONG[wrong.dtype] in context.reported_codes:
        return
    run = partial(context.subject.call, context.subject.arguments(context.plan))
    first = next((step for step in steps(context, run) if any(one.dtype is wrong.dtype for one in step.results)), None)
    message = f"expected a {torch.float32} result, got {shown(wrong)}; the dtype changes here"
    yield divergence_diagnostic(context, _WRONG[wrong.dtype], message, first)


def is_float32(context: CheckContext) -> bool:
    """Whether all floating-point tensors of the model and its inputs are float32."""
    given = tensors(context.reference.given.named).values()
    every = (*context.model.parameters(), *context.model.buffers(), *given)
    return {one.dtype for one in every if one.dtype.is_floating_point} == {torch.float32}


def _named(context: CheckContext) -> set[object]:
    """The dtypes that the annotation of the result requires in place of float32: they are intended."""
    arrays = [part for part in walk(context.subject.specification.contract.result) if isinstance(part, ArrayHint)]
    return {
        dtype for one in arrays if not one.dtypes.allow(torch.float32) for dtype in _WRONG if one.dtypes.allow(dtype)
    }
