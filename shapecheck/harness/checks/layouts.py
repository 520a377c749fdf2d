"""Memory layouts: strided and channels_last inputs give the same results as contiguous ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext, differ, tolerance
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.divergence import divergence_diagnostic, first_difference
from shapecheck.harness.inputs.tensor_map import map_tensors
from shapecheck.harness.tensors import flat


@check(20)
def layouts(context: CheckContext) -> Iterator[Diagnostic]:
    """All inputs in each layout in turn."""
    if any(array.promises for _, array in context.subject.specification.arrays()):
        raise Skip("annotations require a layout")
    expected = context.outputs()
    for words, change in _LAYOUTS:
        named = context.subject.arguments(context.plan).named
        with context.subject.modes():
            changed = map_tensors(named, partial(_changed, change))
        if all(new is old for new, old in zip(flat(changed), flat(named), strict=True)):
            continue
        try:
            found = flat(context.call(changed))
        except Exception as error:
            yield context.fault(error, f"with {words} inputs", partial(context.call, changed))
            continue
        close = tolerance(context.subject.dtype)
        how = "" if context.is_fake or not context.repeats else differ(expected, found, *close)
        if not how or context.is_random:  # random numbers go to elements in their order in memory
            continue
        if not context.differ(expected, found):  # allows large rounding errors
            continue
        step = first_difference(
            context, partial(context.call, named), partial(context.call, changed), partial(_differ, close=close)
        )
        yield divergence_diagnostic(
            context, "layout-dependence", f"{words} inputs give a different result from contiguous inputs: {how}", step
        )


def _differ(one: Tensor, other: Tensor, close: tuple[float, float]) -> bool:
    return bool(differ([one], [other], *close))


def _changed(change: Callable[[Tensor], Tensor], _: str, tensor: Tensor) -> Tensor:
    return change(tensor)


def _transposed(tensor: Tensor) -> Tensor:
    """The same values, with the last two dimensions swapped in memory."""
    return tensor.mT.contiguous().mT if tensor.dim() >= 2 else tensor


def _sliced(tensor: Tensor) -> Tensor:
    """The same values, with gaps between them."""
    return torch.stack([tensor, tensor], -1)[..., 0] if tensor.dim() else tensor


def _channels_last(tensor: Tensor) -> Tensor:
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    memory_format = formats.get(tensor.dim())
    return tensor if memory_format is None else tensor.contiguous(memory_format=memory_format)


_LAYOUTS: tuple[tuple[str, Callable[[Tensor], Tensor]], ...] = (
    ("transposed", _transposed),
    ("strided", _sliced),
    ("channels_last", _channels_last),
)
