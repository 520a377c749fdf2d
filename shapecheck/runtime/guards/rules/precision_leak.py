"""float32 beside bfloat16 or float16: what follows is computed, and kept, in float32."""

from __future__ import annotations

import torch

from shapecheck.runtime.guards.call import OperatorCall, shown
from shapecheck.runtime.guards.rules.arithmetic import NAMES, operands
from shapecheck.runtime.guards.rules.table import rule

_LOW = (torch.bfloat16, torch.float16)


@rule("precision-leak", NAMES)
def precision_leak(call: OperatorCall) -> str | None:
    """Arithmetic of a float32 tensor with one of bfloat16 or float16; a tensor without axes is exempt."""
    found = operands(call)
    low = next((one for one in found if one.dtype in _LOW), None)
    high = next((one for one in found if one.dtype is torch.float32), None)
    if low is None or high is None:
        return None
    return f"{shown(high)} makes the result of {shown(low)} float32"
