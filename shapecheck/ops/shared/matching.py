"""Shapes that must be equal, or expand to another, as far as they are known."""

from __future__ import annotations

from math import prod

from shapecheck.ops.shared.arguments import need_equal
from shapecheck.spec import Layout, Shape, ShapeError, Size, TensorSpec
from shapecheck.spec.broadcast import broadcast_shapes


def matched(left: Shape, right: Shape, message: str) -> Shape:
    """The shape that both must have, as far as it is known; raises ShapeError(message) if they are known to differ."""
    if left.rank is None and right.rank is not None:
        left, right = right, left
    if left.rank is None:
        return left
    if right.least_rank > left.rank or (right.rank is not None and right.rank < left.rank):
        raise ShapeError(message)
    dims = list(left.head)
    places = (*range(len(right.head)), *range(-len(right.tail), 0))
    for place, size in zip(places, (*right.head, *right.tail), strict=True):
        need_equal(dims[place], size, message)
        if isinstance(size, int):
            dims[place] = size
    return Shape(tuple(dims))


def fitted_into(shape: Shape, into: Shape, message: str) -> None:
    """Raises ShapeError(message) if `shape` does not broadcast to `into`."""
    if into.rank is None:
        return
    try:
        result = broadcast_shapes(shape, into)
    except ShapeError:
        raise ShapeError(message) from None
    matched(into, result, message)


def numel(shape: Shape) -> Size | None:
    """The number of elements, None if the rank is unknown."""
    return None if shape.rank is None else prod(shape.head)


def layout_of(*tensors: TensorSpec) -> Layout:
    """The layout of an element-wise operator's result: contiguous if all operands are."""
    return "contiguous" if all(tensor.layout == "contiguous" for tensor in tensors) else "unknown"
