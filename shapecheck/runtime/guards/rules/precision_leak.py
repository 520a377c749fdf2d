"""float32 combined with bfloat16 or float16: everything after it is computed and stored in float32."""

from __future__ import annotations

import torch
from torch import Tensor

from shapecheck.runtime.guards.call import OperatorCall, shown
from shapecheck.runtime.guards.rules.operands import PROMOTING, promoting, sign_of, spellings
from shapecheck.runtime.guards.rules.table import rule

_LOW = (torch.bfloat16, torch.float16)


@rule("precision-leak", spellings(PROMOTING))
def precision_leak(call: OperatorCall) -> str | None:
    """Arithmetic of a float32 tensor with one of bfloat16 or float16; 0-D tensors are exempt."""
    found = promoting(call)
    low = next((one for one in found if one.dtype in _LOW), None)
    high = next((one for one in found if one.dtype is torch.float32), None)
    if low is None or high is None:
        return None
    if isinstance(call.result, Tensor) and call.result.dtype is not torch.float32:  # in-place operators do not promote
        return None
    left, right = (shown(one) for one in found if one is low or one is high)
    sign = sign_of(call)
    operation = f"{sign} of {left} and {right}" if sign.isidentifier() else f"{left} {sign} {right}"
    return f"{operation} promotes to {torch.float32}; convert the one that does not have the dtype of the model"
