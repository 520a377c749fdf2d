"""float64 combined with a smaller float, at run time."""

from __future__ import annotations

from torch import Tensor

from shapecheck.conditions import float64_leak as condition
from shapecheck.runtime.guards.call import OperatorCall
from shapecheck.runtime.guards.rules.operands import PROMOTING, dtype_of, observed, promoting, sign_of, spellings
from shapecheck.runtime.guards.rules.table import rule


@rule(condition.CODE, spellings(PROMOTING))
def float64_leak(call: OperatorCall) -> str | None:
    """Arithmetic that combines a float64 tensor with a smaller floating-point one."""
    found = promoting(call)
    if len({one.dtype for one in found}) < 2:  # most calls
        return None
    result = dtype_of(call.result) if isinstance(call.result, Tensor) else None
    leak = condition.find(sign_of(call), map(observed, found), result)
    return None if leak is None else leak.message
