"""How a function of numpy's is asked: with its arguments, giving what it gives or Unknown."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.ops import Unknown, infer
from shapecheck.spec import DType, Shape, ShapeError, TensorSpec, unknown
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.models.numpy.reading import as_array

Rule = Callable[..., Value]
FAULTS = (TypeError, ValueError, IndexError, ArithmeticError, AttributeError, ShapeError)
"""What a rule may raise that is given something it has no answer for."""


def call_rule(rule: Rule, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """What a rule gives; Unknown where the arguments are none that it takes."""
    try:
        return rule(*args, **kwargs)
    except FAULTS:
        return Unknown("no array that is known")


def as_torch_does(name: str, value: Value, *args: Value, dtype: DType | None = None, **kwargs: Value) -> Value:
    """The shape that torch's operator of this name gives, with the array's dtype or another one."""
    given = as_array(value)
    if given is None:
        return Unknown("an unknown array")
    found = infer(name, given.spec, *map(to_ops, args), **kwargs)
    if not isinstance(found, TensorSpec):
        return Unknown("an unknown array")
    if dtype is None:
        return ArraySpec(found.with_dtype(given.dtype))
    return ArraySpec.of(found.shape, dtype)


def reduced(shape: Shape, axis: Value, keepdims: Value) -> Shape:
    """The shape once an axis, several or all are reduced."""
    keeps = bool(keepdims)
    if axis is None:
        return Shape() if not keeps else Shape((1,) * len(shape.dims))
    if shape.rank is None:
        return Shape.anything()
    axes = {one % shape.rank for one in (axis if type(axis) is tuple else (axis,))}
    dims = [1 if at in axes else size for at, size in enumerate(shape.dims) if keeps or at not in axes]
    return Shape(tuple(dims))


def some_length() -> Shape:
    """A vector of a length that nobody knows."""
    return Shape((unknown(low=0),))
