"""float32 beside bfloat16 or float16: what follows is computed, and kept, in float32."""

from __future__ import annotations

import torch
from torch import Tensor

from shapecheck.runtime.guards.call import OperatorCall, shown
from shapecheck.runtime.guards.rules.operands import PROMOTING, promoting, spellings
from shapecheck.runtime.guards.rules.table import rule

_LOW = (torch.bfloat16, torch.float16)


@rule("precision-leak", spellings(PROMOTING))
def precision_leak(call: OperatorCall) -> str | None:
    """Arithmetic of a float32 tensor with one of bfloat16 or float16; a tensor without axes is exempt."""
    found = promoting(call)
    low = next((one for one in found if one.dtype in _LOW), None)
    high = next((one for one in found if one.dtype is torch.float32), None)
    if low is None or high is None:
        return None
    if isinstance(call.result, Tensor) and call.result.dtype is not torch.float32:  # in place nothing is promoted
        return None
    return f"{shown(high)} makes the result of {shown(low)} {torch.float32}"
