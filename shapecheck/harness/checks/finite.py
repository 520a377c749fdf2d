"""Results and gradients are finite for finite inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.divergence import Step, divergence_diagnostic, steps
from shapecheck.harness.formatting import listed
from shapecheck.harness.gradient_origin import GradientOrigin
from shapecheck.harness.inputs.tensor_map import map_tensors
from shapecheck.harness.inputs.values import Arguments, positional_arguments
from shapecheck.harness.tensors import differentiate, flat

_FILLS = ("empty", "full", "fill", "where", "tril", "triu", "setitem", "set_", "tensor", "getitem")
"""Parts of the names of operators whose infinite results the program has written itself, such as those of a mask."""


@check(17, needs_data=True)
def finite(context: CheckContext) -> Iterator[Diagnostic]:
    """The results of the reference run and the gradients of their sum."""
    constants = (*flat(context.reference.given.named), *context.model.parameters(), *context.model.buffers())
    if any(_kind(one) for one in constants):
        raise Skip("inputs or weights are not finite")
    kind = next((kind for one in context.outputs() if (kind := _kind(one))), "")
    if kind:
        yield from _in_results(context, kind)
    else:
        yield from _in_gradients(context)


def _in_results(context: CheckContext, kind: str) -> Iterator[Diagnostic]:
    run = partial(context.subject.call, context.subject.arguments(context.plan))
    step = _first(steps(context, run), kind)
    if step is None:
        return
    if any(_is_finite(context, given) for given in _alternatives(context)):
        context.notes.append(f"results are {kind} for some inputs")
        return
    yield divergence_diagnostic(context, "non-finite", f"{step.name}() returns {kind} for finite inputs", step)


def _in_gradients(context: CheckContext) -> Iterator[Diagnostic]:
    origin = GradientOrigin(context.paths)
    try:
        with torch.enable_grad(), origin:
            results = flat(context.subject.call(context.subject.arguments(context.plan)))
        differentiate(results)
    except Exception:  # the check `backward` reports it
        return
    else:
        grads = {name: one.grad for name, one in context.model.named_parameters() if one.grad is not None}
        wrong = {name: kind for name, grad in grads.items() if (kind := _kind(grad))}
    finally:
        context.model.zero_grad(set_to_none=True)
        origin.remove()
    if wrong:
        verb = "is" if len(wrong) == 1 else "are"
        names, kind = listed(list(wrong)), next(iter(wrong.values()))
        step = origin.find()
        where = f"; {step.name}() has no finite derivative there" if step else ""
        message = f"the result is finite, but the gradient of {names} {verb} {kind}{where}"
        yield divergence_diagnostic(context, "non-finite", message, step)


def _kind(tensor: Tensor) -> str:
    """`NaN` or `infinite` for a tensor with such values, otherwise empty."""
    if not tensor.dtype.is_floating_point or tensor.layout is not torch.strided:
        return ""
    if bool(tensor.isnan().any()):
        return "NaN"
    return "infinite" if bool(tensor.isinf().any()) else ""


def _first(found: list[Step], kind: str) -> Step | None:
    """The operator that returns such values first; None if the program writes them itself."""
    for step in found:
        if any(_kind(one) == kind for one in step.results):
            is_written = any(part in step.name for part in _FILLS)
            if is_written and kind == "NaN":
                continue
            return None if is_written else step
    return None


def _is_finite(context: CheckContext, given: Arguments) -> bool:
    try:
        return not any(map(_kind, flat(context.subject.call(given))))
    except Exception:  # values out of range
        return False


def _alternatives(context: CheckContext) -> Iterator[Arguments]:
    """Other values that the author may have had in mind: positive numbers, masks of one value.

    None if the case gives its inputs.
    """
    if context.subject.declared.inputs is not None:
        return
    for unit, least in ((False, 0.0), (True, 0.0), (True, 1.0)):
        named = context.subject.arguments(replace(context.plan, unit=unit)).named
        for mask in (None, True, False):
            if (unit, mask) != (False, None):
                changed: Any = map_tensors(named, partial(_changed, least=least, mask=mask))
                yield positional_arguments(context.subject.specification, changed)


def _changed(place: str, one: Tensor, least: float, mask: bool | None) -> Tensor:
    if one.dtype.is_floating_point:
        return one + least
    if mask is None or not one.numel():
        return one
    if one.dtype is torch.bool:
        return torch.full_like(one, mask)
    return (one.max() if mask else one.min()).expand_as(one).clone()
