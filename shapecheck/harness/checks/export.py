"""torch.export keeps the axes dynamic that can have any size."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.free_axes import free_names
from shapecheck.harness.inputs.tensor_map import map_tensors
from shapecheck.harness.torch_versions import fixed_sizes


@check(92, needs_data=True, wanted=lambda options: "export" in options.checks)
def export(context: CheckContext) -> Iterator[Diagnostic]:
    """One export at the reference sizes; sizes are distinct primes, so that a number identifies an axis."""
    if context.subject.declared.inputs is not None:
        raise Skip("inputs are given by the case")
    names = [name for name in free_names(context) if context.plan.sizes[name] > 1]
    if not names:
        raise Skip("no axis can have another size")
    given = context.subject.arguments(context.plan)
    shapes = map_tensors(given.named, lambda place, one: _dynamic(context, names, place, one))
    shapes = {name: shape if isinstance(shape, (dict, list, tuple)) else None for name, shape in shapes.items()}
    context.subject.restore_buffers()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.export.export(context.model, given.args, given.kwargs, dynamic_shapes=shapes)
    except Exception as error:
        raise Skip(f"torch.export does not support the model: {with_type_name(error)}") from None
    finally:
        torch.compiler.reset()
    sizes = {context.plan.sizes[name]: name for name in names}
    for size, place in fixed_sizes(program):
        name = sizes.pop(size, None)
        if name is not None and place is None:
            context.notes.append(f"torch fixes {name} to {size}")  # as the layer nn.LSTM does, not the program
        elif name is not None:
            message = f"torch.export fixes {name} to {size} here, but the annotation allows any {name}"
            yield context.finding("hard-coded-size", message, place, Severity.WARNING)


def _dynamic(context: CheckContext, names: list[str], place: str, tensor: Tensor) -> dict[int, Any]:
    """The dynamic dimensions of one tensor."""
    specification = context.subject.specification
    arrays = dict(specification.arrays(context.plan.absent))
    found = {specification.axis_of(place, arrays[place], name) for name in names} if place in arrays else set()
    return {index: torch.export.Dim.AUTO for index in found if index is not None}
