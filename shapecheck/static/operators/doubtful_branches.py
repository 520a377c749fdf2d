"""Refusals in a branch on a condition that is not decided, where the condition may exclude these operands.

- A default None, or a comparison with it: callers that take the branch pass a tensor.
- A cast to half precision: with this option, the model is in half precision, too, or runs under autocast.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.ops import ModuleSpec
from shapecheck.spec import CallError, DTypeError, ShapeError, TensorSpec
from shapecheck.spec.dtype import bfloat16, float16
from shapecheck.static.domain.abstract_values import Value

_HALF = (float16, bfloat16)


def is_doubtful(callee: str | ModuleSpec, args: Sequence[Value], refusal: ShapeError) -> bool:
    """Whether the condition of a branch may exclude what is refused in it."""
    if isinstance(refusal, CallError):
        return bool(args) and (args[0] is None or isinstance(args[0], bool))
    is_of_layer = isinstance(refusal, DTypeError) and isinstance(callee, ModuleSpec)
    return is_of_layer and any(isinstance(one, TensorSpec) and one.dtype in _HALF for one in args)
