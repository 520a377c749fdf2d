"""Tensors and operators of a call that has run, in the terms of `shapecheck.conditions`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from torch import Tensor

from shapecheck.conditions import operators
from shapecheck.conditions.operand import Observed
from shapecheck.runtime.guards.call import OperatorCall
from shapecheck.spec import DType, Shape
from shapecheck.spec.dtype import DTYPES

PROMOTING: Final = (
    *("add", "sub", "mul", "div", "subtract", "multiply", "divide", "true_divide", "where", "maximum", "minimum"),
    *("pow", "atan2", "cat", "concat", "stack", "addcmul", "addcdiv"),
)
"""Functions that promote their operands to a common dtype."""


def spellings(names: Iterable[str]) -> tuple[str, ...]:
    """Operators with their reflected and in-place forms, as far as torch has them."""
    return tuple(form for name in names for form in (name, f"r{name}", f"__r{name}__", f"{name}_"))


def sign_of(call: OperatorCall) -> str:
    """The sign of the operator that was called, or its name: `-` for `sub`, `rsub` and `sub_`."""
    name = call.name.strip("_")
    return operators.sign_of(name[1:] if _is_reflected(name) else name)


def in_order(call: OperatorCall) -> tuple[Any, Any]:
    """The first two arguments in the order of the program, left and right of the sign."""
    left, right = call.args[:2]
    return (right, left) if _is_reflected(call.name.strip("_")) else (left, right)


def _is_reflected(name: str) -> bool:
    return name.startswith("r") and operators.sign_of(name[1:]) != name[1:]


def observed(tensor: Tensor) -> Observed:
    """The shape and dtype of a tensor."""
    return Observed(Shape.of(tuple(tensor.shape)), dtype_of(tensor))


def dtype_of(tensor: Tensor) -> DType | None:
    """The dtype, None for one without promotion rules here."""
    return DTYPES.get(str(tensor.dtype).removeprefix("torch."))


def promoting(call: OperatorCall) -> list[Tensor]:
    """The floating-point tensors with dimensions among the arguments, and in a list of them."""
    found = call.tensors()
    if call.args and isinstance(call.args[0], (list, tuple)):
        found += [one for one in call.args[0] if isinstance(one, Tensor)]
    return [one for one in found if one.dim() and one.is_floating_point()]
