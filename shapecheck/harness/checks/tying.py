"""Tied weights are one parameter: two parameters that share memory are separated when the model is moved or copied."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import check
from shapecheck.harness.layer_definition import find_definition


@check(5, needs_data=True)
def tying(context: CheckContext) -> Iterator[Diagnostic]:
    """The memory of each parameter and buffer; constants may share theirs."""
    known: dict[int, list[tuple[str, Tensor]]] = {}
    for name, one in (*context.model.named_parameters(), *context.model.named_buffers()):
        if one.layout is not torch.strided or not one.numel():
            continue
        others = known.setdefault(one.untyped_storage().data_ptr(), [])
        first = next((first for first, other in others if overlap(one, other)), None)
        others.append((name, one))
        if first is None:
            continue
        message = (
            f"{first} and {name} share memory but are different tensors; moving, copying or sharding the model "
            f"separates them; assign the parameter itself"
        )
        place, owner = find_definition(context.model, name) or (None, "")
        yield context.finding("broken-tie", message, place, module=owner)


def overlap(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors in one storage share elements, and one of them is trained."""
    if not (one.requires_grad or other.requires_grad):
        return False
    if one.data_ptr() == other.data_ptr() and one.numel() == other.numel():
        return True
    if not (_has_no_gaps(one) and _has_no_gaps(other)):  # columns of one matrix lie between each other
        return False
    return max(one.data_ptr(), other.data_ptr()) < min(_end(one), _end(other))


def _has_no_gaps(tensor: Tensor) -> bool:
    return _end(tensor) - tensor.data_ptr() == tensor.nbytes


def _end(tensor: Tensor) -> int:
    """The address behind the last element."""
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return tensor.data_ptr() + (last + 1) * tensor.element_size()
