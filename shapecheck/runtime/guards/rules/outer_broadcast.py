"""`(n,) - (n, 1)`: both sides expand, so the result has every pair."""

from __future__ import annotations

import re
import sys

from torch import Tensor

from shapecheck.runtime.guards.call import OperatorCall, shown
from shapecheck.runtime.guards.places import place_of_caller
from shapecheck.runtime.guards.rules.table import rule

_NAMES = (
    "add",
    "sub",
    "div",
    "subtract",
    "divide",
    "true_divide",
    "rsub",
    "__rsub__",
    "__rdiv__",
    "add_",
    "sub_",
    "div_",
)
_WRITTEN = re.compile(r"\b(None|newaxis|unsqueeze|view|reshape|rearrange)\b")
"""What makes an axis of size 1 on purpose, where it stands in the line that adds."""


@rule("silent-broadcast", _NAMES)
def outer_broadcast(call: OperatorCall) -> str | None:
    """Sums, differences and quotients of floating tensors of different rank of which each expands an axis."""
    if len(call.args) < 2:
        return None
    left, right = call.args[0], call.args[1]
    if not isinstance(left, Tensor) or not isinstance(right, Tensor) or left.dim() == right.dim():
        return None
    if not left.dim() or not right.dim() or not isinstance(call.result, Tensor) or not call.result.is_floating_point():
        return None
    shape = call.result.shape
    if _fills(left, shape) or _fills(right, shape) or _is_meant(left, right, shape):
        return None
    if _WRITTEN.search(place_of_caller(sys._getframe(1)).text):
        return None
    return f"{shown(left)} and {shown(right)} both expand: the result is {tuple(shape)}, every pair of the two"


def _fills(tensor: Tensor, shape: tuple[int, ...]) -> bool:
    """Whether a tensor has as many elements as the result: no axis of it was repeated."""
    return tensor.numel() == _product(shape)


def _is_meant(left: Tensor, right: Tensor, shape: tuple[int, ...]) -> bool:
    """Whether vectors of one length are compared, those of one set with those of another: `(n, 1, d) - (m, d)`."""
    if left.shape[-1] != right.shape[-1] or left.shape[-1] == 1:
        return False
    return not {shape[axis] for axis in _expanded(left, shape)} & {shape[axis] for axis in _expanded(right, shape)}


def _expanded(tensor: Tensor, shape: tuple[int, ...]) -> list[int]:
    """The axes of the result along which a tensor was repeated, from the right: -1 is the last."""
    own = {index - tensor.dim(): size for index, size in enumerate(tensor.shape)}
    return [axis for axis in range(-len(shape), 0) if own.get(axis, 1) != shape[axis]]


def _product(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count
