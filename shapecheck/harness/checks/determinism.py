"""The same inputs and the same seed give the same result."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import EXACT, CheckContext, differ
from shapecheck.harness.checks.table import check
from shapecheck.harness.divergence import divergence_diagnostic, first_difference
from shapecheck.harness.tensors import flat


@check(18, needs_data=True)
def determinism(trial: CheckContext) -> Iterator[Diagnostic]:
    """Two calls in eval mode, two in train mode."""
    for mode in ("eval", "train"):
        trial.model.train(mode == "train")
        try:
            words = _difference(trial)
            if words:
                yield _told(trial, f"two calls with the same inputs and the same seed differ in {mode} mode: {words}")
                return
        except Exception:  # the check `train` tells of it
            return
        finally:
            trial.model.eval()


def _difference(trial: CheckContext) -> str:
    return differ(flat(_call(trial)), flat(_call(trial)), *EXACT)


def _call(trial: CheckContext) -> Any:
    return trial.subject.call(trial.subject.arguments(trial.plan))


def _told(trial: CheckContext, message: str) -> Diagnostic:
    """The finding, at the operator whose results differ first."""
    one, other = (partial(trial.subject.call, trial.subject.arguments(trial.plan)) for _ in range(2))
    step = first_difference(trial, one, other, lambda one, other: bool(differ([one], [other], *EXACT)))
    return divergence_diagnostic(trial, "not-deterministic", message, step)


def is_random(trial: CheckContext) -> bool:
    """Whether the result hangs on random numbers in eval mode, as that of a sampler does, or is another each time."""
    subject = trial.subject
    seed = subject.seed
    if not trial.repeats:
        return True
    try:
        first = flat(_call(trial))
        subject.seed = seed + 1
        second = flat(_call(trial))
    finally:
        subject.seed = seed
    with torch.no_grad():
        return bool(differ(first, second, *EXACT))
