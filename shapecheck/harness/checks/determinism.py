"""The same inputs and the same seed give the same result."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import EXACT, CheckContext, differ
from shapecheck.harness.checks.table import check
from shapecheck.harness.divergence import divergence_diagnostic, first_difference
from shapecheck.harness.tensors import flat


@check(18, needs_data=True)
def determinism(context: CheckContext) -> Iterator[Diagnostic]:
    """Two calls in eval mode, two in train mode."""
    for mode in ("eval", "train"):
        context.model.train(mode == "train")
        try:
            words = _difference(context)
            if words:
                yield _diagnostic(context, f"two calls with the same inputs and seed differ in {mode} mode: {words}")
                return
        except Exception:  # the check `train` reports it
            return
        finally:
            context.model.eval()


def _difference(context: CheckContext) -> str:
    return differ(flat(_call(context)), flat(_call(context)), *EXACT)


def _call(context: CheckContext) -> Any:
    return context.subject.call(context.subject.arguments(context.plan))


def _diagnostic(context: CheckContext, message: str) -> Diagnostic:
    """The finding, at the operator whose results differ first."""
    one, other = (partial(context.subject.call, context.subject.arguments(context.plan)) for _ in range(2))
    step = first_difference(context, one, other, lambda one, other: bool(differ([one], [other], *EXACT)))
    return divergence_diagnostic(context, "not-deterministic", message, step)
