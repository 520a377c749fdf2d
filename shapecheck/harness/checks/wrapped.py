"""Wrapped for distributed training, the model gives the same results, and trains the same parameters."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext, differ, tolerance
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import listed
from shapecheck.harness.tensors import differentiate, flat
from shapecheck.harness.wrap import NAMES, WrapError, group, plain_names, wrapped
from shapecheck.runtime.guards.places import place_of_error


@check(95, needs_data=True, wanted=lambda options: bool(options.wrap))
def compare(context: CheckContext) -> Iterator[Diagnostic]:
    """Two steps of forward and backward, compared with one of the unwrapped model."""
    kind = context.options.wrap
    if context.is_random:
        raise Skip("results are random in eval mode")
    try:
        with group(context.subject.device):
            yield from _compared(context, kind)
    except WrapError as why:
        raise Skip(str(why)) from None


def _compared(context: CheckContext, kind: str) -> Iterator[Diagnostic]:
    name = NAMES[kind]
    try:
        alone = _trained(context, context.model)[1]
    except Exception:  # the check `backward` reports it
        return
    finally:
        context.model.zero_grad(set_to_none=True)
    try:
        twin = wrapped(context.model, kind, context.subject.device).eval()
        results, reached = _trained(context, twin)
        words = differ(context.outputs(), results, *tolerance(context.subject.dtype))
        if words:
            yield context.finding("wrap-mismatch", f"{name} gives a different result from the unwrapped model: {words}")
        yield from _gradients(context, name, alone - reached, "the unwrapped model has one")
        unused = _trainable(twin) - reached if kind == "ddp" else set()
        if unused:
            yield from _gradients(context, name, unused, "the second step fails without find_unused_parameters=True")
        else:
            _trained(context, twin)
    except WrapError:
        raise
    except Exception as error:
        text = " ".join(str(error).split())[:200]
        message = f"forward raises under {name}, but not without: {type(error).__name__}: {text}"
        yield context.finding("wrap-mismatch", message, place_of_error(error))


def _gradients(context: CheckContext, name: str, missing: set[str], why: str) -> Iterator[Diagnostic]:
    if missing:
        names = [one for one, _ in context.model.named_parameters() if one in missing]
        verb = "receives" if len(names) == 1 else "receive"
        yield context.finding("wrap-mismatch", f"{listed(names)} {verb} no gradient under {name}; {why}")


def _trainable(model: nn.Module) -> set[str]:
    return {name for name, one in plain_names(model) if one.requires_grad}


def _trained(context: CheckContext, model: nn.Module) -> tuple[list[Tensor], set[str]]:
    """The results of a call, and the parameters that its gradient reaches."""
    model.zero_grad(set_to_none=True)
    context.subject.restore_buffers()
    given = context.subject.arguments(context.plan)
    torch.manual_seed(context.subject.seed)
    with torch.enable_grad():
        results = flat(model(*given.args, **given.kwargs))
        differentiate(results)
    return results, {name for name, one in plain_names(model) if one.grad is not None}
