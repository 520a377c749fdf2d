"""Compares the gradients of an `autograd.Function` with numerical ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd import gradcheck

from shapecheck.harness.function_calls import FunctionCall
from shapecheck.harness.tensors import flat

_STEP = 1e-6
_RELATIVE = 1e-3
_TRIES = 3
"""A derivative must be wrong for several values: the first may be at a kink."""
_NOISE = 0.01
_ELEMENTS = 24
"""How many elements of each argument are compared one by one."""

_Call = Callable[..., list[Tensor]]


@dataclass(frozen=True)
class WrongGradient:
    """An argument, the gradient of one of its elements, None if backward returns none, and the numerical one."""

    argument: str
    computed: float | None
    expected: float


def wrong_gradient(call: FunctionCall) -> WrongGradient | None:
    """The first gradient that is wrong by mistake; None if there is none.

    Not a mistake are functions that return an argument, which exist for their gradient, and gradients where the
    derivative is 0, such as those of a straight-through estimator. Raises any exception of the function.
    """
    run = _in_float64(call)
    generator = torch.Generator().manual_seed(0)
    found = None
    for number in range(_TRIES):
        values = [_near(call.arguments[index], generator if number else None) for index in call.differentiable]
        if _returns_argument(run(*values), values) or _is_right(run, values):
            return None
        found = _wrong_element(call, run, values, generator)
        if found is None:
            return None
    return found


def _in_float64(call: FunctionCall) -> _Call:
    def run(*values: Tensor) -> list[Tensor]:
        given = [one.double() if _is_float(one) else one for one in call.arguments]
        for index, value in zip(call.differentiable, values, strict=True):
            given[index] = value
        return [one for one in flat(call.function.apply(*given)) if one.requires_grad]

    return run


def _is_float(one: Any) -> bool:
    return isinstance(one, Tensor) and one.dtype.is_floating_point


def _near(value: Tensor, generator: torch.Generator | None) -> Tensor:
    """The value in float64, or one close to it."""
    value = value.cpu().double()
    if generator is not None:
        value = value * (1 + _NOISE * torch.rand(value.shape, generator=generator, dtype=torch.float64))
    return value.requires_grad_()


def _returns_argument(results: Sequence[Tensor], values: Sequence[Tensor]) -> bool:
    return any(one.shape == other.shape and bool((one == other).all()) for one in results for other in values)


def _is_right(run: _Call, values: Sequence[Tensor]) -> bool:
    return gradcheck(
        lambda *given: tuple(run(*given)),
        tuple(values),
        eps=_STEP,
        rtol=_RELATIVE,
        raise_exception=False,
        check_undefined_grad=False,
        nondet_tol=_RELATIVE,
        fast_mode=True,
    )


def _wrong_element(
    call: FunctionCall, run: _Call, values: Sequence[Tensor], generator: torch.Generator
) -> WrongGradient | None:
    """An element whose gradient is wrong where its derivative is not 0."""
    results = run(*values)
    weights = [torch.randn(one.shape, generator=generator, dtype=one.dtype) for one in results]
    total = _weighted(results, weights)
    gradients = torch.autograd.grad(total, list(values), allow_unused=True)
    for position, value, gradient in zip(call.differentiable, values, gradients, strict=True):
        for element in torch.randperm(value.numel(), generator=generator)[:_ELEMENTS].tolist():
            expected = _derivative(run, values, value, element, weights)
            computed = 0.0 if gradient is None else float(gradient.flatten()[element])
            if abs(expected) > _STEP and abs(computed - expected) > _RELATIVE * (1 + abs(expected)):
                return WrongGradient(call.name_of(position), None if gradient is None else computed, expected)
    return None


def _weighted(results: Sequence[Tensor], weights: Sequence[Tensor]) -> Tensor:
    return torch.stack([(one * weight).sum() for one, weight in zip(results, weights, strict=True)]).sum()


def _derivative(run: _Call, values: Sequence[Tensor], value: Tensor, element: int, weights: Sequence[Tensor]) -> float:
    """The central difference of the weighted sum of the results."""
    totals = []
    for step in (_STEP, -_STEP):
        moved = value.detach().clone()
        moved.view(-1)[element] += step
        given = [moved.requires_grad_() if one is value else one for one in values]
        totals.append(float(_weighted(run(*given), weights)))
    return (totals[0] - totals[1]) / (2 * _STEP)
