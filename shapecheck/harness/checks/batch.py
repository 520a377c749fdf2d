"""Batch independence: a sample gives the same result on its own as in a batch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.awakened import awake
from shapecheck.harness.check_context import CheckContext, differ, tolerance
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.divergence import divergence_diagnostic, first_difference
from shapecheck.harness.inputs.tensor_map import map_tensors
from shapecheck.harness.padding_mask import PaddingMask, excluding, padding_mask
from shapecheck.harness.tensors import flat

_BATCH = re.compile(r"(b|bs|bsz|bz|batch\w*)$", re.IGNORECASE)


@check(60, needs_data=True)
@awake
def batch(context: CheckContext) -> Iterator[Diagnostic]:
    """The first and the last row on their own, in eval mode."""
    name = _batch_name(context)
    size = context.plan.sizes[name]
    rows = [one for one in context.outputs() if one.dim() and list(one.shape).count(size) == 1 and one.shape[0] == size]
    if not rows:
        raise Skip(f"no result with {name} as its first dimension only")
    if context.is_random:
        raise Skip("results are random in eval mode")
    named = context.subject.arguments(context.plan).named
    unequal = total = 0
    for row in (0, size - 1):
        alone = _sliced(context, named, name, row)
        try:
            found = flat(context.call(alone))
        except Exception:  # the check `sweep` reports it
            raise Skip(f"forward does not run with {name}=1") from None
        pairs = [
            (one, other)
            for one, other in zip(context.outputs(), found, strict=False)
            if any(one is kept for kept in rows)
        ]
        both = [one[row : row + 1] for one, _ in pairs], [other for _, other in pairs]
        unequal += sum(_unequal(one, other) for one, other in zip(*both, strict=True))
        total += sum(one.numel() for one in both[0])
        words = differ(*both, *tolerance(context.subject.dtype))
        if words:
            message = f"row {row} of a batch of {size} differs from the same row on its own: {words}"
            differs = partial(_row_differs, size=size, row=row, close=tolerance(context.subject.dtype))
            step = first_difference(context, partial(context.call, named), partial(context.call, alone), differs)
            yield divergence_diagnostic(context, "batch-dependence", message, step)
            return
    mask = padding_mask(context, named)
    if mask is not None:
        yield from _mask_of_others(context, named, rows, mask)
    context.notes.append(f"bitwise: {unequal:,} of {total:,} values differ")


def _mask_of_others(
    context: CheckContext, named: dict[str, Any], rows: list[Tensor], mask: PaddingMask
) -> Iterator[Diagnostic]:
    """The last row, if the last third of the first one is padded."""
    name, (size, _) = mask
    changed, _ = excluding(named[name])
    try:
        found = flat(context.call({**named, name: changed}))
    except Exception:  # a combination of values that the model rejects
        return
    if [one.shape for one in found] != [one.shape for one in context.outputs()]:
        return
    kept = [other for one, other in zip(context.outputs(), found, strict=True) if any(one is row for row in rows)]
    words = context.differ([one[-1:] for one in rows], [one[-1:] for one in kept])
    if words:
        message = f"row {size - 1} of a batch of {size} differs if {name} excludes positions of row 0 alone: {words}"
        yield context.finding("batch-dependence", message)


def _unequal(one: Tensor, other: Tensor) -> int:
    """The number of elements that are not the same bit by bit; two NaN are the same."""
    if one.shape != other.shape:
        return one.numel()
    return int(((one != other) & ~(one.isnan() & other.isnan())).sum())


def _row_differs(whole: Tensor, alone: Tensor, size: int, row: int, close: tuple[float, float]) -> bool:
    """Whether a result differs for the row on its own: the row, or the whole result if it has no batch dimension."""
    if whole.shape == alone.shape:
        return bool(differ([whole], [alone], *close))
    if whole.shape[:1] == (size,) and alone.shape == (1, *whole.shape[1:]):
        return bool(differ([whole[row : row + 1]], [alone], *close))
    return False


def _batch_name(context: CheckContext) -> str:
    """The first axis of the inputs if its name is that of a batch: along time, rows may depend on one another."""
    name = first_axis(context)
    if not is_batch(name):
        raise Skip(f"first axis of the inputs is {name}, expected b, bs, bsz or batch")
    return name


def is_batch(name: str) -> bool:
    """Whether an axis of this name is that of a batch."""
    return _BATCH.match(name) is not None


def first_axis(context: CheckContext) -> str:
    """The name that is the first axis of every input that has it."""
    if context.subject.declared.inputs is not None:
        raise Skip("inputs are given by the case")
    specification = context.subject.specification
    arrays = list(specification.arrays(context.plan.absent))
    for name in context.plan.sizes:
        places = [specification.axis_of(place, array, name) for place, array in arrays]
        if 0 in places and not name.startswith("*"):
            mentions = [name in [axis.text.lstrip("#*") for axis in array.axes.axes] for _, array in arrays]
            leads = all(index == 0 or not mentioned for index, mentioned in zip(places, mentions, strict=True))
            if leads and context.plan.sizes[name] > 1:
                return name
    raise Skip("inputs have no common first axis")


def _sliced(context: CheckContext, named: dict[str, Any], name: str, row: int) -> dict[str, Any]:
    """The arguments with one row of each tensor that has the batch dimension."""
    with_batch = {
        place
        for place, array in context.subject.specification.arrays()
        if context.subject.specification.axis_of(place, array, name) == 0
    }
    sliced: dict[str, Any] = map_tensors(named, lambda place, one: one[row : row + 1] if place in with_batch else one)
    return sliced
