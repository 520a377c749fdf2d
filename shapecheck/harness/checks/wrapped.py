"""Wrapped for distributed training, the model gives what it gives alone, and trains the same parameters."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext, differ, tolerance
from shapecheck.harness.checks.determinism import is_random
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.tensors import differentiate, flat
from shapecheck.harness.wrap import NAMES, WrapError, group, plain_names, wrapped
from shapecheck.runtime.guards.places import place_of_error

_MOST_NAMES = 3


@check(95, needs_data=True, wanted=lambda wishes: bool(wishes.wrap))
def compare(trial: CheckContext) -> Iterator[Diagnostic]:
    """Two steps of forward and backward, beside one of the model alone."""
    kind = trial.wishes.wrap
    if is_random(trial):
        raise Skip("its results are random in eval mode")
    try:
        with group(trial.subject.device):
            yield from _compared(trial, kind)
    except WrapError as why:
        raise Skip(str(why)) from None


def _compared(trial: CheckContext, kind: str) -> Iterator[Diagnostic]:
    name = NAMES[kind]
    try:
        alone = _trained(trial, trial.model)[1]
    except Exception:  # the check `backward` tells of it
        return
    finally:
        trial.model.zero_grad(set_to_none=True)
    try:
        twin = wrapped(trial.model, kind, trial.subject.device).eval()
        results, reached = _trained(trial, twin)
        words = differ(trial.outputs(), results, *tolerance(trial.subject.dtype))
        if words:
            yield trial.finding("wrap-mismatch", f"{name} gives something else than the model alone: {words}")
        yield from _gradients(trial, name, alone - reached, "alone it does")
        unused = _trainable(twin) - reached if kind == "ddp" else set()
        if unused:
            yield from _gradients(trial, name, unused, "its second step fails without find_unused_parameters=True")
        else:
            _trained(trial, twin)
    except WrapError:
        raise
    except Exception as error:
        text = " ".join(str(error).split())[:200]
        message = f"it runs alone, and under {name} it raises {type(error).__name__}: {text}"
        yield trial.finding("wrap-mismatch", message, place_of_error(error))


def _gradients(trial: CheckContext, name: str, missing: set[str], why: str) -> Iterator[Diagnostic]:
    if missing:
        names = [one for one, _ in trial.model.named_parameters() if one in missing]
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        listed = ", ".join(names[:_MOST_NAMES]) + more
        verb = "gets" if len(names) == 1 else "get"
        yield trial.finding("wrap-mismatch", f"{listed} {verb} no gradient under {name}; {why}")


def _trainable(model: nn.Module) -> set[str]:
    return {name for name, one in plain_names(model) if one.requires_grad}


def _trained(trial: CheckContext, model: nn.Module) -> tuple[list[Tensor], set[str]]:
    """What a call gives, and the parameters that its gradient reaches."""
    model.zero_grad(set_to_none=True)
    trial.subject.restore()
    given = trial.subject.arguments(trial.plan)
    torch.manual_seed(trial.subject.seed)
    with torch.enable_grad():
        results = flat(model(*given.args, **given.kwargs))
        differentiate(results)
    return results, {name for name, one in plain_names(model) if one.grad is not None}
