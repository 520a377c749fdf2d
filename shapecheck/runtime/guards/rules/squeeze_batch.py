"""`squeeze()` without an axis, of a batch of one."""

from __future__ import annotations

from torch import Tensor

from shapecheck.runtime.guards.call import OperatorCall, shown
from shapecheck.runtime.guards.rules.table import rule


@rule("squeeze-batch", ("squeeze", "squeeze_"))
def squeeze_batch(call: OperatorCall) -> str | None:
    """The first axis is gone together with another one of size 1."""
    tensor = call.args[0] if call.args else None
    if not isinstance(tensor, Tensor) or len(call.args) > 1 or call.kwargs or not isinstance(call.result, Tensor):
        return None
    shape = tensor.shape
    if len(shape) < 2 or shape[0] != 1 or all(size != 1 for size in shape[1:]):
        return None
    return f"squeeze() makes {tuple(call.result.shape)} of {shown(tensor)}: the batch of one is gone, too"
