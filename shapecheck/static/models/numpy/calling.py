"""Calls the rules that model functions and methods of numpy, and what the rules share."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.ops import Unknown, infer
from shapecheck.spec import DType, Shape, ShapeError, TensorSpec, Unanswered, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.models.numpy.array_like import as_array

Rule = Callable[..., Value]
"""A function from the arguments of a call, passed on as they are, to its result."""
_RULE_ERRORS = (TypeError, ValueError, IndexError, ArithmeticError, AttributeError, ShapeError, Unanswered)
"""What a rule may raise for arguments that it does not model, or of which it needs a rank or size that is unknown."""


def call_rule(rule: Rule, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of a rule; Unknown if it does not take these arguments."""
    try:
        return rule(*args, **kwargs)
    except _RULE_ERRORS:
        return Unknown("an unknown array")


def apply_torch_operator(name: str, value: Value, *args: Value, dtype: DType | None = None, **kwargs: Value) -> Value:
    """The result of the torch operator on an array, with the array's own dtype unless another one is array."""
    array = as_array(value)
    if array is None:
        return Unknown("an unknown array")
    found = infer(name, array.spec, *map(to_ops, args), **kwargs)
    if not isinstance(found, TensorSpec):
        return Unknown("an unknown array")
    if dtype is None:
        return ArraySpec(found.with_dtype(array.dtype))
    return ArraySpec.of(found.shape, dtype)


def reduced_shape(shape: Shape, axis: Value, keepdims: Value) -> Shape:
    """The shape after a reduction over one axis, a tuple of axes, or all if `axis` is None."""
    keeps = bool(keepdims)
    if axis is None:
        return Shape() if not keeps else Shape((1,) * len(shape.dims))
    if shape.rank is None:
        return Shape.anything()
    axes = {_axis_index(one, shape.rank) for one in (axis if type(axis) is tuple else (axis,))}
    dims = [1 if at in axes else size for at, size in enumerate(shape.dims) if keeps or at not in axes]
    return Shape(tuple(dims))


def _axis_index(axis: Value, rank: int) -> int:
    if not isinstance(axis, int):
        raise TypeError("an unknown axis")
    return axis % rank


def unknown_length() -> Shape:
    """The shape of a vector of unknown length."""
    return Shape((unknown(low=0),))
