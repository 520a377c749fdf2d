"""Random values for parameters that begin with zero, such as layer scales: a new model ignores what is behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps

import torch
from torch import Tensor, nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext

_SMALL = 0.01
_SCALE = 0.3
_Ask = Callable[[CheckContext], Iterator[Diagnostic]]


def awake(ask: _Ask) -> _Ask:
    """Decorates a check that compares two computations of the same: such parameters have random values meanwhile."""

    @wraps(ask)
    def asked(context: CheckContext) -> Iterator[Diagnostic]:
        with _awakened(context) as one:
            yield from ask(one)

    return asked


@contextmanager
def _awakened(context: CheckContext) -> Iterator[CheckContext]:
    """The context with another reference run, or the same if the model has no such parameters."""
    asleep = [one for name, one in context.model.named_parameters() if _is_asleep(name, one)]
    before = [one.detach().clone() for one in asleep]
    generator = torch.Generator().manual_seed(context.subject.seed)
    try:
        _set(asleep, [_random(one, generator) for one in asleep])
        last = context.run(context.plan) if asleep else context.reference
        if last.error is None:
            yield replace(context, constraints=replace(context.constraints, last=last))
            return
    finally:
        _set(asleep, before)
    yield context


def _is_asleep(name: str, parameter: nn.Parameter) -> bool:
    """Whether all values are the same and nearly zero; a bias adds nothing, but hides nothing."""
    if name.endswith("bias") or not parameter.is_floating_point() or not parameter.numel():
        return False
    least, most = parameter.detach().float().aminmax()
    return bool(least == most) and abs(float(most)) <= _SMALL


def _random(parameter: Tensor, generator: torch.Generator) -> Tensor:
    """A weight with the deviation that keeps the size of its input, a scale with a few tenths."""
    values = torch.randn(parameter.shape, generator=generator)
    return values * (parameter[0].numel() ** -0.5 if parameter.dim() > 1 else _SCALE)


def _set(parameters: list[nn.Parameter], values: list[Tensor]) -> None:
    with torch.no_grad():
        for one, new in zip(parameters, values, strict=True):
            one.copy_(new)
