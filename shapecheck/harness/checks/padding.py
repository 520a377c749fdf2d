"""Values at padded positions, as a mask declares them, do not change the results at the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import torch
from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.awakened import awake
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.inputs.tensor_map import map_tensors
from shapecheck.harness.padding_mask import padding_mask
from shapecheck.harness.tensors import flat


@check(64, needs_data=True)
@awake
def padding(context: CheckContext) -> Iterator[Diagnostic]:
    """Two calls with other values in the padded third, at the end and at the start, for either meaning of the mask.

    In a causal model no position at the end changes others: the mask must have some effect, and exclude the start.
    """
    if context.is_random:
        raise Skip("results are random in eval mode")
    named = context.subject.arguments(context.plan).named
    found = padding_mask(context, named)
    if found is None:
        raise Skip("no mask with a value for each position of an input")
    name, shape = found
    last = torch.arange(shape[1], device=context.subject.device) >= shape[1] - max(1, shape[1] // 3)
    end, start = last.expand(shape), last.flip(0).expand(shape)
    differences: list[str] = []
    # A model that reads the last position is padded at the start.
    for padded, is_valid in product((end, start), (True, False)):
        mask = (~padded if is_valid else padded).to(named[name].dtype)
        words = _difference(context, {**named, name: mask}, padded, name)
        if words is None:
            raise Skip("results with a padded mask cannot be compared")
        if not words:
            if _has_no_effect(context, named, start, name):
                yield _ignored(context, name, "; it has no effect")
            elif padded is end and (words := _in_causal_model(context, named, name, start, is_valid)):
                yield _ignored(context, name, f": {words}")
            return
        differences.append(words)
    yield _ignored(context, name, f": {differences[0]}")


def _ignored(context: CheckContext, name: str, how: str) -> Diagnostic:
    message = f"values at positions that {name} excludes change the results at the others{how}"
    return context.finding("ignored-mask", message)


def _in_causal_model(context: CheckContext, named: dict[str, Any], name: str, start: Tensor, is_valid: bool) -> str:
    """How values at the padded start change the results, if those at the end change none although nothing is padded.

    Either meaning of the mask fits there at the end. A result for a whole row may be that of a position which the
    values select, such as the greatest token.
    """
    nothing = torch.full_like(named[name], int(is_valid))
    if _difference(context, {**named, name: nothing}, start.flip(1), name, of_rows=False) != "":
        return ""
    masks = [mask.to(named[name].dtype) for mask in (~start, start)]
    found = [_difference(context, {**named, name: mask}, start, name, of_rows=False) for mask in masks]
    return found[0] or "" if all(found) else ""


def _has_no_effect(context: CheckContext, named: dict[str, Any], padded: Tensor, name: str) -> bool:
    """Whether a mask and its inverse give the same results, which values at the padded positions change."""
    masks = [mask.to(named[name].dtype) for mask in (padded, ~padded)]
    try:
        one, other = (flat(context.call({**named, name: mask})) for mask in masks)
    except Exception:  # a mask without any True
        return False
    if not one or len(one) != len(other) or context.differ(one, other):
        return False
    return bool(_difference(context, {**named, name: masks[1]}, padded, name))


def _difference(
    context: CheckContext, named: dict[str, Any], padded: Tensor, name: str, *, of_rows: bool = True
) -> str | None:
    """How the results differ where nothing is padded; None if no result can be compared.

    of_rows: also compares results for a whole row.
    """
    try:
        one = flat(context.call(named))
        other = flat(context.call(_with_other_values(context, named, padded, name)))
    except Exception:  # a mask without any True, or values that go together
        return None
    if len(one) != len(other):
        return None
    both = [pair for pair in zip(one, other, strict=True) if of_rows or pair[0].shape[:2] == padded.shape]
    pairs = [(_valid(left, padded), _valid(right, padded)) for left, right in both]
    kept = [(left, right) for left, right in pairs if left is not None and right is not None]
    if not kept or any(bool(left.isnan().any()) for left, _ in kept if left.is_floating_point()):
        return None
    return context.differ([left for left, _ in kept], [right for _, right in kept])


def _with_other_values(context: CheckContext, named: dict[str, Any], padded: Tensor, name: str) -> Any:
    """The inputs with the values of another row, shifted, at padded positions."""

    def change(place: str, one: Tensor) -> Tensor:
        if place == name or one.shape[:2] != padded.shape or one.dtype is torch.bool:
            return one
        other = one.flatten().roll(one[0, 0].numel() + 1).reshape(one.shape)
        if one.is_floating_point():
            other = 3 * other + 1
        return torch.where(padded.reshape(*padded.shape, *[1] * (one.dim() - 2)), other, one)

    return map_tensors(named, change)


def _valid(result: Tensor, padded: Tensor) -> Tensor | None:
    """The results at positions that are not padded; all of a result with one row for each row of the mask."""
    if result.shape[:2] == padded.shape:
        return result[~padded]
    is_pooled = result.dim() in (1, 2) and result.shape[0] == padded.shape[0]
    return result if is_pooled and padded.shape[1] not in result.shape[1:] else None
