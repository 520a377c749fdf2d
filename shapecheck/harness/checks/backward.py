"""Forward and backward: every parameter that is to be trained gets a gradient."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.gradient_cuts import Cut, Cuts
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.layer_definition import find_definition
from shapecheck.harness.tensors import differentiate, flat
from shapecheck.runtime.guards.places import SourceLocation


@check(70)
def backward(trial: CheckContext) -> Iterator[Diagnostic]:
    """The gradient of the sum of all results."""
    wanted = {name: one for name, one in trial.model.named_parameters() if one.requires_grad}
    if not wanted:
        raise Skip("it has no parameters to train")
    watch = Cuts()
    try:
        missing = _without_gradient(trial, trial.plan, wanted, watch)
        if missing:
            missing &= _in_train_mode(trial, wanted)
        for plan in trial.plans_without_optional() if missing else ():
            missing &= _left_out(trial, plan, wanted)
    except Skip:
        raise
    except Exception as error:
        yield trial.fault(error, "in backward")
        return
    finally:
        trial.model.zero_grad(set_to_none=True)
    if missing:
        yield from _told(trial, [name for name in wanted if name in missing], watch)


def _in_train_mode(trial: CheckContext, wanted: dict[str, nn.Parameter]) -> set[str]:
    """Those that have none in train mode either: what masks or drops is only used there."""
    trial.model.train()
    try:
        return _without_gradient(trial, trial.plan, wanted, Cuts())
    except Exception:  # the check `train` tells of it
        return set(wanted)
    finally:
        trial.model.eval()


def _left_out(trial: CheckContext, plan: InputPlan, wanted: dict[str, nn.Parameter]) -> set[str]:
    """Those that have none without an optional tensor either: what stands for it is only used there."""
    try:
        return _without_gradient(trial, plan, wanted, Cuts())
    except Exception:  # the check `sweep` tells of it
        return set(wanted)


def _without_gradient(trial: CheckContext, plan: InputPlan, wanted: dict[str, nn.Parameter], watch: Cuts) -> set[str]:
    """The parameters that the gradient of the sum of all results does not reach. Raises Skip where there is none."""
    trial.model.zero_grad(set_to_none=True)
    with torch.enable_grad(), watch:
        results = flat(trial.subject.call(trial.subject.arguments(plan)))
    with trial.subject.within():
        if not differentiate(results):
            raise Skip("no result of it can be differentiated")
    return {name for name, parameter in wanted.items() if parameter.grad is None}


def _told(trial: CheckContext, missing: list[str], watch: Cuts) -> Iterator[Diagnostic]:
    """One finding for each line that is the reason."""
    parameters = dict(trial.model.named_parameters())
    reasons: dict[tuple[SourceLocation, str, str], list[str]] = {}
    for name in missing:
        is_used = id(parameters[name]) in watch.used
        if not (is_used and watch.differentiates):  # a bias has no part in a derivative
            reasons.setdefault(_reason(trial, name, watch.of(parameters[name]), is_used), []).append(name)
    for (place, path, reason), names in reasons.items():
        listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        verb = "gets" if len(names) == 1 else "get"
        yield trial.finding("missing-gradient", f"{listed} {verb} no gradient: {reason}", place, module=path)


def _reason(trial: CheckContext, name: str, cut: Cut | None, is_used: bool) -> tuple[SourceLocation, str, str]:
    if cut is not None:
        return cut.place, "", f"{cut.function}() has none" if cut.is_choice else "what is computed here is cut off"
    place, path = find_definition(trial.model, name) or (trial.forward_place(), "")
    return place, path, "what is made of it goes into no result" if is_used else "forward does not use it"
