"""Random values for parameters that begin with zero, such as layer scales: a new model ignores what is behind them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch
from torch import Tensor, nn

from shapecheck.harness.check_context import EXACT, CheckContext, differ, tolerance
from shapecheck.harness.noise import tolerance_by_float64
from shapecheck.harness.tensors import flat

_SMALL = 0.01
_SCALE = 0.3


class Reference(NamedTuple):
    """Results to compare others with, and the tolerance for the same sums in another order."""

    results: list[Tensor]
    rounding: tuple[float, float]

    def differ(self, found: list[Tensor]) -> str:
        """How the results differ by more than rounding errors, as text; empty if they do not."""
        return differ(self.results, found, *EXACT) and differ(self.results, found, *self.rounding)


@contextmanager
def awakened(context: CheckContext) -> Iterator[Reference]:
    """The results of the model while such parameters have random values: the reference run if it has none."""
    asleep = [one for name, one in context.model.named_parameters() if _is_asleep(name, one)]
    if not asleep:
        yield Reference(context.outputs(), context.rounding)
        return
    before = [one.detach().clone() for one in asleep]
    generator = torch.Generator().manual_seed(context.subject.seed)
    try:
        _set(asleep, [_awake(one, generator) for one in asleep])
        given = context.subject.arguments(context.plan)
        results = flat(context.subject.call(given))
        rounding = tolerance_by_float64(context.subject, given, results) or tolerance(context.subject.dtype)
        yield Reference(results, rounding)
    finally:
        _set(asleep, before)


def _is_asleep(name: str, parameter: nn.Parameter) -> bool:
    """Whether all values are the same and nearly zero; a bias adds nothing, but hides nothing."""
    if name.endswith("bias") or not parameter.is_floating_point() or not parameter.numel():
        return False
    least, most = parameter.detach().aminmax()
    return bool(least == most) and abs(float(most)) <= _SMALL


def _awake(parameter: Tensor, generator: torch.Generator) -> Tensor:
    """A weight with the deviation that keeps the size of its input, a scale with a few tenths."""
    values = torch.randn(parameter.shape, generator=generator)
    return values * (parameter[0].numel() ** -0.5 if parameter.dim() > 1 else _SCALE)


def _set(parameters: list[nn.Parameter], values: list[Tensor]) -> None:
    with torch.no_grad():
        for one, new in zip(parameters, values, strict=True):
            one.copy_(new)
