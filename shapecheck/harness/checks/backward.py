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
def backward(context: CheckContext) -> Iterator[Diagnostic]:
    """The gradient of the sum of all results."""
    wanted = {name: one for name, one in context.model.named_parameters() if one.requires_grad}
    if not wanted:
        raise Skip("it has no parameters to train")
    watch = Cuts()
    try:
        missing = _without_gradient(context, context.plan, wanted, watch)
        if missing:
            missing &= _in_train_mode(context, wanted)
        for plan in context.plans_without_optional() if missing else ():
            missing &= _left_out(context, plan, wanted)
    except Skip:
        raise
    except Exception as error:
        yield context.fault(error, "in backward")
        return
    finally:
        context.model.zero_grad(set_to_none=True)
    if missing:
        yield from _diagnostics(context, [name for name in wanted if name in missing], watch)


def _in_train_mode(context: CheckContext, wanted: dict[str, nn.Parameter]) -> set[str]:
    """Those that have none in train mode either: what masks or drops is only used there."""
    context.model.train()
    try:
        return _without_gradient(context, context.plan, wanted, Cuts())
    except Exception:  # the check `train` tells of it
        return set(wanted)
    finally:
        context.model.eval()


def _left_out(context: CheckContext, plan: InputPlan, wanted: dict[str, nn.Parameter]) -> set[str]:
    """Those that have none without an optional tensor either: what stands for it is only used there."""
    try:
        return _without_gradient(context, plan, wanted, Cuts())
    except Exception:  # the check `sweep` tells of it
        return set(wanted)


def _without_gradient(context: CheckContext, plan: InputPlan, wanted: dict[str, nn.Parameter], watch: Cuts) -> set[str]:
    """The parameters that the gradient of the sum of all results does not reach. Raises Skip where there is none."""
    context.model.zero_grad(set_to_none=True)
    with torch.enable_grad(), watch:
        results = flat(context.subject.call(context.subject.arguments(plan)))
    with context.subject.modes():
        if not differentiate(results):
            raise Skip("no result of it can be differentiated")
    return {name for name, parameter in wanted.items() if parameter.grad is None}


def _diagnostics(context: CheckContext, missing: list[str], watch: Cuts) -> Iterator[Diagnostic]:
    """One finding for each line that is the reason."""
    parameters = dict(context.model.named_parameters())
    reasons: dict[tuple[SourceLocation, str, str], list[str]] = {}
    for name in missing:
        is_used = id(parameters[name]) in watch.used
        if not (is_used and watch.differentiates):  # a bias has no part in a derivative
            reasons.setdefault(_reason(context, name, watch.of(parameters[name]), is_used), []).append(name)
    for (place, path, reason), names in reasons.items():
        listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        verb = "gets" if len(names) == 1 else "get"
        yield context.finding("missing-gradient", f"{listed} {verb} no gradient: {reason}", place, module=path)


def _reason(context: CheckContext, name: str, cut: Cut | None, is_used: bool) -> tuple[SourceLocation, str, str]:
    if cut is not None:
        return cut.place, "", f"{cut.function}() has none" if cut.is_choice else "what is computed here is cut off"
    place, path = find_definition(context.model, name) or (context.forward_place(), "")
    return place, path, "what is made of it goes into no result" if is_used else "forward does not use it"
