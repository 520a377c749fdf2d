"""Refusals because of a rank of which only a lower bound is known, in a branch that may be for tensors of that rank.

The condition may depend on the rank in a way that is not followed, such as `len(axes) == 1` for axes made from it.
"""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.ops import ModuleSpec, infer
from shapecheck.spec import Shape, ShapeError, TensorSpec, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.floats import as_operand
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.engine.run import Run


def is_parted(run: Run) -> bool:
    """Whether a condition that is not decided leads to the current statement, or to a call around it."""
    return any(frame.is_parted for frame in run.frames)


def refuses_rank(
    name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value], refusal: ShapeError
) -> bool:
    """Whether a call is refused because of a lower bound of a rank: with unknown sizes, it is refused, too."""
    if type(refusal) is not ShapeError or not any(map(_has_least_rank, (*args, *kwargs.values()))):
        return False
    try:
        infer(name, *map(_without_sizes, args), **{key: _without_sizes(one) for key, one in kwargs.items()})
    except ShapeError as again:
        return type(again) is ShapeError
    return False


def _has_least_rank(value: Value) -> bool:
    """Whether an operand with known sizes led to the lower bound; else a test of the rank did, which is a condition."""
    if not isinstance(value, TensorSpec) or value.rank is not None:
        return False
    return any(isinstance(one, int) for one in (*value.shape.head, *value.shape.tail))


def _without_sizes(value: Value) -> object:
    """The operand, with unknown sizes if only a lower bound of its rank is known."""
    if not isinstance(value, TensorSpec) or not _has_least_rank(value):
        return to_ops(as_operand(value))
    shape = value.shape
    head, tail = (tuple(unknown() for _ in sizes) for sizes in (shape.head, shape.tail))
    return to_ops(value.with_shape(Shape(head, shape.run, tail)))
