"""Wrapped for distributed training, the model gives what it gives alone, and every parameter gets its gradient."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import torch

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.checks.determinism import is_random
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.trial import Trial, differ, flat, tolerance
from shapecheck.harness.wrap import WrapError, group
from shapecheck.harness.wrap import wrapped as wrap


@check(95, needs_data=True, wanted=lambda wishes: bool(wishes.wrap))
def wrapped(trial: Trial) -> Iterator[Diagnostic]:
    """One forward and backward in a group of one process; asked for with `--wrap`."""
    kind = trial.wishes.wrap
    try:
        with group(trial.subject.device), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield from _told(trial, kind)
    except WrapError as why:
        raise Skip(str(why)) from None


def _told(trial: Trial, kind: str) -> Iterator[Diagnostic]:
    given = trial.subject.arguments(trial.plan)
    try:
        model = wrap(trial.model, kind, trial.subject.device)
        found = flat(model(*given.args, **given.kwargs))
        ends = [one for one in found if one.requires_grad]
        if ends:
            torch.autograd.backward([one.abs().sum() if one.dtype.is_complex else one.sum() for one in ends])
    except WrapError:
        raise
    except Exception as error:
        text = (str(error).strip().splitlines() or [""])[0][:200]
        yield trial.finding("wrap-mismatch", f"wrapped as {kind} it raises {type(error).__name__}: {text}")
        return
    words = "" if is_random(trial) else differ(trial.outputs(), found, *tolerance(trial.subject.dtype))
    if words:
        yield trial.finding("wrap-mismatch", f"wrapped as {kind} it gives something else than alone: {words}")
