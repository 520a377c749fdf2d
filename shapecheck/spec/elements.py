"""The number of elements of a tensor, as far as its shape shows it."""

from __future__ import annotations

from shapecheck.spec.dim import Size, same
from shapecheck.spec.shape import Shape
from shapecheck.spec.strides import numel


def known_elements(shape: Shape) -> Size:
    """The product of the known sizes; of an unknown rank, what divides the number of elements."""
    return numel((*shape.head, *shape.tail))


def never_has_one_element(shape: Shape) -> bool:
    """Whether a tensor of this shape has several elements or none, whatever its unknown sizes are."""
    return same(known_elements(shape), 1) is False
