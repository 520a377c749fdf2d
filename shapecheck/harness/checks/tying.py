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
    known: dict[tuple[int, int], tuple[str, Tensor]] = {}
    for name, one in (*context.model.named_parameters(), *context.model.named_buffers()):
        if one.layout is not torch.strided or not one.numel():
            continue
        first, other = known.setdefault((one.data_ptr(), one.numel()), (name, one))
        if other is one or not (one.requires_grad or other.requires_grad):
            continue
        message = (
            f"{first} and {name} share memory but are different tensors; moving, copying or sharding the model "
            f"separates them; assign the parameter itself"
        )
        place, owner = find_definition(context.model, name) or (None, "")
        yield context.finding("broken-tie", message, place, module=owner)
