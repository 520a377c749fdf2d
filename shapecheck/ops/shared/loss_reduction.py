"""The reduction of a loss: `reduction="mean" | "sum" | "none"`."""

from __future__ import annotations

from typing import TypeAlias

from shapecheck.ops.shared.arguments import fresh
from shapecheck.spec import CallError, DTypeError, TensorSpec, Unanswered
from shapecheck.spec.dtype import int64
from shapecheck.spec.presentation import value_text

Reduction: TypeAlias = str | int
Legacy: TypeAlias = bool | None

MODES = ("none", "mean", "sum")
"""In the order of the numbers that the `aten` operators take for them."""


def mode_of(reduction: Reduction, size_average: Legacy = None, reduce: Legacy = None) -> str:
    """The mode, from its name, aten's number for it, or the two old flags; CallError for anything else."""
    if size_average is not None or reduce is not None:
        if reduce is False:
            return "none"
        return "sum" if size_average is False else "mean"
    if isinstance(reduction, int) and 0 <= reduction < len(MODES):
        return MODES[reduction]
    if reduction == "elementwise_mean":
        return "mean"
    if not isinstance(reduction, (str, int)):
        raise Unanswered("the reduction is unknown")
    if reduction not in MODES:
        raise CallError(f'expected reduction to be "none", "mean" or "sum", got {value_text(reduction)}')
    return str(reduction)


def reduced(elements: TensorSpec, mode: str) -> TensorSpec:
    """The loss from its elements: the elements, or one number.

    Raises DTypeError for a mean of ints or bools, which torch does not support.
    """
    if mode == "none":
        return elements
    dtype = elements.dtype
    if dtype is not None and not (dtype.is_floating or dtype.is_complex):
        if mode == "mean":
            raise DTypeError(f'expected a floating-point or complex dtype for reduction="mean", got {dtype}')
        dtype = int64
    return fresh((), dtype, elements)
