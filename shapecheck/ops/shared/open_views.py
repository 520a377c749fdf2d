"""Views of tensors in a shape of which a stretch is unknown: `x.view(*x.shape[:-1], heads, -1)`."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.shared.arguments import Tensor, need_divisible, need_equal
from shapecheck.spec import Shape, ShapeError, Size, quotient, unknown
from shapecheck.spec.strides import numel


def open_sizes(given: tuple[Any, ...]) -> Shape | None:
    """The sizes that are given as one shape of unknown rank; None for any others."""
    found = given[0] if len(given) == 1 else None
    return found if isinstance(found, Shape) and found.run is not None else None


def view_open(input: Tensor, wanted: Shape) -> Tensor:
    """The input in this shape; the elements outside of a stretch that both have are counted."""
    others = [one for one in (*wanted.head, *wanted.tail) if one != -1]
    inferred = len(wanted.head) + len(wanted.tail) - len(others)
    if inferred > 1:
        raise ShapeError(f"only one size can be -1, got {wanted}")
    size: Size = unknown(low=0)
    if input.shape.run is not None and input.shape.run == wanted.run:
        size = _counted(input.shape, wanted, numel(tuple(others)), inferred)
    head, tail = (tuple(size if one == -1 else one for one in ends) for ends in (wanted.head, wanted.tail))
    return input.with_shape(Shape(head, wanted.run, tail), "contiguous" if input.layout == "contiguous" else "unknown")


def _counted(old: Shape, wanted: Shape, given: Size, inferred: int) -> Size:
    """The size that is inferred; raises ShapeError if the elements outside of the stretch cannot match."""
    elements = numel((*old.head, *old.tail))
    invalid = f"shape {wanted} is invalid for input of shape {old}"
    if not inferred:
        need_equal(elements, given, f"{invalid}: {given} != {elements} elements in each of the leading dimensions")
        return unknown(low=0)
    if given == 0:
        return unknown(low=0)
    need_divisible(elements, given, f"{invalid}: {elements} elements are not divisible by {given}")
    return quotient(elements, given)
