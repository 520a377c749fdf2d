"""The implementations of attention agree: torch's kernels, those of transformers, and a flag of the model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.awakened import awake
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.divergence import steps
from shapecheck.harness.formatting import listed, with_type_name
from shapecheck.harness.inputs.specification import attribute
from shapecheck.harness.inputs.values import Arguments, positional_arguments
from shapecheck.harness.padding_mask import excluding, padding_mask
from shapecheck.harness.switches import fused_attention
from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.places import place_of_error
from shapecheck.runtime.guards.refusals import code_of

_FUSED = "scaled_dot_product_attention"
_KERNELS = (SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION)
_OF_ATTENTION = re.compile(r"attn_implementation|\w*(attn|attention|sdpa|flash)\w*=")
_IN_PLACE = re.compile(r"modified (by an )?in-?place|in-place operation")
_Way = tuple[str, Callable[[], AbstractContextManager[Any]]]


@check(68, needs_data=True)
@awake
def attention(context: CheckContext) -> Iterator[Diagnostic]:
    """One call for each implementation that the model can use, compared with the reference run."""
    ways = list(_ways(context))
    if not ways:
        raise Skip("one implementation of attention")
    if context.is_random:
        raise Skip("results are random in eval mode")
    calls = [_Call(context, context.subject.arguments(context.plan), context.outputs()), *_padded(context)]
    for name, way in ways:
        is_of_model = _OF_ATTENTION.match(name) is not None
        for call in calls if is_of_model else calls[:1]:  # few kernels of torch take a mask
            found = list(_compared(call, name, way))
            yield from found
            if found:
                return


def _compared(call: _Call, name: str, way: Callable[[], AbstractContextManager[Any]]) -> Iterator[Diagnostic]:
    context = call.context
    try:
        with way():
            found = call.results()
    except Exception as error:
        if _is_mistake(name, error):
            message = f"with {name}, forward raises {with_type_name(error)}{call.also}"
            yield context.finding("attention-mismatch", message, place_of_error(error))
        else:
            context.notes.append(f"cannot run with {name}{call.also}")
        return
    # Results that only one implementation returns, such as weights, do not count.
    words = context.differ(call.expected, found) if len(found) == len(call.expected) else ""
    wrong = f"results differ: {words}" if words else ""
    if not words and _OF_ATTENTION.match(name) is not None:
        wrong = _wrong_gradient(call, way)
    if wrong:
        yield context.finding("attention-mismatch", f"with {name}, {wrong}{call.also}")


class _Call(NamedTuple):
    """expected: the results of the reference run. also: what is special about the arguments, for the message.

    excluded: where a mask excludes positions.
    """

    context: CheckContext
    given: Arguments
    expected: list[Tensor]
    also: str = ""
    excluded: Tensor | None = None

    def results(self) -> list[Tensor]:
        """Those of the implementation that is in use, with zeros where positions are excluded."""
        found = flat(self.context.subject.call(self.given))
        if self.excluded is None:
            return found
        return [_without(one, self.excluded) if one.shape[:2] == self.excluded.shape else one for one in found]

    def gradients(self) -> dict[str, Tensor]:
        """Those of the sum of all results, by parameter."""
        parameters = {name: one for name, one in self.context.model.named_parameters() if one.requires_grad}
        with torch.enable_grad():
            ends = [one.abs().sum() for one in self.results() if one.requires_grad]
            grads = torch.autograd.grad(ends, [*parameters.values()], allow_unused=True)
        return {name: grad for name, grad in zip(parameters, grads, strict=True) if grad is not None}


def _padded(context: CheckContext) -> list[_Call]:
    """The call with a mask that excludes the last third of the first row, if there is such a mask."""
    named = context.subject.arguments(context.plan).named
    mask = padding_mask(context, named)
    if mask is None:
        return []
    padded, excluded = excluding(named[mask.name])
    given = positional_arguments(context.subject.specification, {**named, mask.name: padded})
    call = _Call(context, given, [], f", if {mask.name} excludes positions", excluded)
    try:
        return [call._replace(expected=call.results())]
    except Exception:  # a mask that the model rejects
        return []


def _without(result: Tensor, excluded: Tensor) -> Tensor:
    return result.masked_fill(excluded.reshape(*excluded.shape, *[1] * (result.dim() - 2)), 0)


def _ways(context: CheckContext) -> Iterator[_Way]:
    for switch in fused_attention(context.model):
        yield switch.name, switch.used
    config = attribute(context.model, "config")
    is_fused = attribute(config, "_attn_implementation") == "sdpa"
    if is_fused and attribute(context.model, "set_attn_implementation") is not None:
        yield 'attn_implementation="eager"', partial(_eager, context.model)
    given = context.subject.arguments(context.plan)
    if any(step.name == _FUSED for step in steps(context, lambda: context.subject.call(given))):
        for kernel in _KERNELS:
            yield f"sdpa_kernel({kernel.name})", partial(sdpa_kernel, kernel)


def _wrong_gradient(call: _Call, way: Callable[[], AbstractContextManager[Any]]) -> str:
    """What this implementation does in backward that the one of the reference run does not."""
    try:
        usual = call.gradients()
    except Exception:  # the check `backward` reports it
        return ""
    try:
        with way():
            found = call.gradients()
    except NotImplementedError:
        return ""
    except RuntimeError as error:
        return f"backward raises {with_type_name(error)}"
    lost = [name for name in usual if name not in found]
    return f"{listed(lost)} {'receives' if len(lost) == 1 else 'receive'} no gradient" if lost else ""


def _is_mistake(name: str, error: Exception) -> bool:
    """Whether the model computes attention with wrong shapes, or writes over what the backward pass needs.

    Otherwise the device has no such kernel, or the constructor omits the weights: `fused` may be about those alone.
    """
    if _OF_ATTENTION.match(name) is None or not isinstance(error, RuntimeError):
        return False
    return code_of(error) is not None or _IN_PLACE.search(str(error)) is not None


@contextmanager
def _eager(model: Any) -> Iterator[None]:
    model.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.set_attn_implementation("sdpa")
