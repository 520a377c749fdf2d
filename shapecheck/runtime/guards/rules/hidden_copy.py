"""Implicit copies: `reshape`, `flatten` and `contiguous` of a tensor with other strides."""

from __future__ import annotations

from torch import Tensor

from shapecheck.runtime.describe import shape_text
from shapecheck.runtime.guards.call import OperatorCall, is_new, shown
from shapecheck.runtime.guards.rules.table import rule


@rule(
    "hidden-copy",
    ("reshape", "reshape_as", "flatten", "ravel", "contiguous", "to", "float", "double", "half", "bfloat16"),
)
def hidden_copy(call: OperatorCall) -> str | None:
    """A result that does not share memory with its input."""
    tensor = call.args[0] if call.args else None
    if not isinstance(tensor, Tensor) or not isinstance(call.result, Tensor) or not tensor.numel():
        return None
    if "memory_format" in call.kwargs:  # the copy is requested
        return None
    if not is_new(call, tensor):
        return None
    size = call.result.numel() * call.result.element_size()
    strides = shape_text(tensor.stride())
    return f"{call.name}() copies {size:,} bytes: {shown(tensor)} with strides {strides} -> {shown(call.result)}"
