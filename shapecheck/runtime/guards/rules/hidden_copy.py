"""Copies that nothing in the code says: `reshape`, `flatten` and `contiguous` of a tensor that is not laid out so."""

from __future__ import annotations

from torch import Tensor

from shapecheck.runtime.guards.call import OperatorCall, is_new, shown
from shapecheck.runtime.guards.rules.table import rule


@rule(
    "hidden-copy",
    ("reshape", "reshape_as", "flatten", "ravel", "contiguous", "to", "float", "double", "half", "bfloat16"),
)
def hidden_copy(call: OperatorCall) -> str | None:
    """A result that lies in memory of its own."""
    tensor = call.args[0] if call.args else None
    if not isinstance(tensor, Tensor) or not isinstance(call.result, Tensor) or not tensor.numel():
        return None
    if "memory_format" in call.kwargs:  # the copy is what is asked for
        return None
    if not is_new(call, tensor):
        return None
    size = call.result.numel() * call.result.element_size()
    return f"{size:,} bytes are copied: {shown(tensor)} with strides {tensor.stride()} becomes {shown(call.result)}"
