"""float64 beside float32: one forgotten cast of numpy's doubles, and everything after it is float64."""

from __future__ import annotations

import torch

from shapecheck.runtime.guards.call import OperatorCall, shown
from shapecheck.runtime.guards.rules.arithmetic import NAMES, operands
from shapecheck.runtime.guards.rules.table import rule


@rule("float64-leak", NAMES)
def float64_leak(call: OperatorCall) -> str | None:
    """Arithmetic of a float64 tensor with one of fewer bits; a tensor without axes is promoted, and exempt."""
    found = operands(call)
    wide = next((one for one in found if one.dtype is torch.float64), None)
    narrow = next((one for one in found if one.dtype is not torch.float64), None)
    if wide is None or narrow is None:
        return None
    return f"{shown(wide)} makes the result of {shown(narrow)} float64"
