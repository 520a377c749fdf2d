"""Gradient checkpointing, which computes activations again in backward, changes neither results nor gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext, differ
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import listed, with_type_name
from shapecheck.harness.switches import Switch, checkpointing, without_cache
from shapecheck.harness.tensors import differentiate, flat
from shapecheck.runtime.guards.places import place_of_error

_RELATIVE = 1e-4


class _Step(NamedTuple):
    results: list[Tensor]
    grads: dict[str, Tensor]


@check(75, needs_data=True)
def recompute(context: CheckContext) -> Iterator[Diagnostic]:
    """One forward and backward in train mode for each way to enable it, compared with one without."""
    switches = checkpointing(context.model)
    if not switches:
        raise Skip("model has no switch for gradient checkpointing")
    context.model.train()
    try:
        with without_cache(context.model):
            yield from _compared(context, switches)
    finally:
        context.model.eval()
        context.model.zero_grad(set_to_none=True)


def _compared(context: CheckContext, switches: list[Switch]) -> Iterator[Diagnostic]:
    plain = _repeated(context)
    for switch in switches:
        with switch.used() as is_enabled:
            if not is_enabled:
                continue
            try:
                words = _difference(plain, _step(context))
            except Exception as error:
                message = f"backward raises with {switch.name}: {with_type_name(error)}"
                yield context.finding("recompute-mismatch", message, place_of_error(error))
                return
        if words:
            yield context.finding("recompute-mismatch", f"with {switch.name}, {words}")
            return


def _repeated(context: CheckContext) -> _Step:
    """Forward and backward as they are. Raises Skip if they raise or do not repeat: other checks report that."""
    try:
        plain, again = _step(context), _step(context)
    except Exception as error:
        raise Skip(f"backward raises in train mode: {with_type_name(error)}") from None
    if not plain.grads:
        raise Skip("no result that requires a gradient")
    if _difference(plain, again):
        raise Skip("results are not deterministic in train mode")
    return plain


def _step(context: CheckContext) -> _Step:
    model = context.model
    model.zero_grad(set_to_none=True)
    with torch.enable_grad():
        results = flat(context.subject.call(context.subject.arguments(context.plan)))
    differentiate(results)
    grads = {name: one.grad.clone() for name, one in model.named_parameters() if one.grad is not None}
    return _Step([one.detach() for one in results], grads)


def _difference(one: _Step, other: _Step) -> str:
    if len(one.results) != len(other.results):
        return f"results differ: {len(one.results)} and {len(other.results)} tensors"
    for left, right in zip(one.results, other.results, strict=True):
        words = _values_differ(left, right)
        if words:
            return f"results differ: {words}"
    missing = [name for name in one.grads if name not in other.grads]
    if missing:
        verb = "receives" if len(missing) == 1 else "receive"
        return f"{listed(missing)} {verb} no gradient"
    for name, grad in one.grads.items():
        words = _values_differ(grad, other.grads[name])
        if words:
            return f"the gradient of {name} differs: {words}"
    return ""


def _values_differ(one: Tensor, other: Tensor) -> str:
    """The same sums of the same values; gradients can be large, so the tolerance is relative to the greatest value."""
    if one.layout is not torch.strided:
        one, other = one.to_dense(), other.to_dense()
    greatest = float(one.abs().max()) if one.numel() else 0.0
    return differ([one], [other], _RELATIVE, _RELATIVE * greatest)
