"""Forward and backward: every trainable parameter receives a gradient."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.conditional_use import forward_reads
from shapecheck.harness.faults import rejects_sizes
from shapecheck.harness.formatting import listed
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
        raise Skip("no parameters to train")
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
    missing -= _used_by_other_inputs(context, missing, watch)
    if missing:
        yield from _diagnostics(context, [name for name in wanted if name in missing], watch)


def _used_by_other_inputs(context: CheckContext, missing: set[str], watch: Cuts) -> set[str]:
    """Those that forward reads, but not for the inputs that are assumed: other arguments may use them."""
    if context.subject.known is None:
        return set()
    parameters = dict(context.model.named_parameters())
    found = {name for name in missing if id(parameters[name]) not in watch.used and forward_reads(context.model, name)}
    if found:
        context.notes.append(f"the assumed inputs do not use {listed(sorted(found))}")
    return found


def _in_train_mode(context: CheckContext, wanted: dict[str, nn.Parameter]) -> set[str]:
    """Those that have none in train mode either: masking and dropout only apply there.

    Raises Skip if the model rejects the assumed inputs there: it computes its loss from others, such as targets.
    """
    context.model.train()
    try:
        return _without_gradient(context, context.plan, wanted, Cuts())
    except Exception as error:  # the check `train` reports it
        if context.subject.known is not None and rejects_sizes(error):
            raise Skip("train mode requires other inputs than those that are assumed") from None
        return set(wanted)
    finally:
        context.model.eval()


def _left_out(context: CheckContext, plan: InputPlan, wanted: dict[str, nn.Parameter]) -> set[str]:
    """Those that have none without an optional tensor either: its replacement is only used there."""
    try:
        return _without_gradient(context, plan, wanted, Cuts())
    except Exception:  # the check `sweep` reports it
        return set(wanted)


def _without_gradient(context: CheckContext, plan: InputPlan, wanted: dict[str, nn.Parameter], watch: Cuts) -> set[str]:
    """The parameters that the gradient of the sum of all results does not reach.

    Raises Skip if no result has a gradient and no line of the program detaches them.
    """
    context.model.zero_grad(set_to_none=True)
    with torch.enable_grad(), watch:
        results = flat(context.subject.call(context.subject.arguments(plan)))
    with context.subject.modes():
        if not differentiate(results) and not watch.detaches(results):
            raise Skip("no result that requires a gradient")
    return {name for name, parameter in wanted.items() if parameter.grad is None}


def _diagnostics(context: CheckContext, missing: list[str], watch: Cuts) -> Iterator[Diagnostic]:
    """One finding for each line that causes missing gradients."""
    parameters = dict(context.model.named_parameters())
    reasons: dict[tuple[SourceLocation, str, str], list[str]] = {}
    for name in missing:
        is_used = id(parameters[name]) in watch.used
        if not (is_used and watch.differentiates):  # a bias does not appear in a derivative
            reasons.setdefault(_reason(context, name, watch.of(parameters[name]), is_used), []).append(name)
    for (place, path, reason), names in reasons.items():
        verb = "receives" if len(names) == 1 else "receive"
        message = f"{listed(names)} {verb} no gradient: {reason.format(them='it' if len(names) == 1 else 'them')}"
        yield context.finding("missing-gradient", message, place, module=path)


def _reason(context: CheckContext, name: str, cut: Cut | None, is_used: bool) -> tuple[SourceLocation, str, str]:
    if cut is not None:
        reason = f"{cut.function}() is not differentiable" if cut.is_choice else "this line detaches its result"
        return cut.place, "", reason
    place, path = find_definition(context.model, name) or (context.forward_place(), "")
    return place, path, "no result depends on {them}" if is_used else "forward does not use {them}"
