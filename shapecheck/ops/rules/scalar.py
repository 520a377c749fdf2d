"""A tensor as a Python number, truth value or list."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, ShapeError, Size, same
from shapecheck.spec.strides import numel


@op("item", "__float__", "__int__", "__index__", "__complex__")
def item(input: Tensor) -> Unknown:
    """The only element, as an unknown number."""
    if _has_other_than_one(input):
        raise CallError(f"cannot convert a tensor of {_elements(input)} to a Python scalar: shape {input.shape}")
    return Unknown("value of an element")


@op("__bool__")
def truth(input: Tensor) -> Unknown:
    """The truth value of the only element."""
    if _has_other_than_one(input):
        elements = _elements(input)
        raise ShapeError(
            f"the truth value of a tensor of {elements} is ambiguous, use any() or all(): shape {input.shape}"
        )
    return Unknown("truth of an element")


def _has_other_than_one(input: Tensor) -> bool:
    return same(_known_elements(input), 1) is False


def _known_elements(input: Tensor) -> Size:
    """The product of the known sizes, by which the number of elements can be divided."""
    return numel((*input.shape.head, *input.shape.tail))


def _elements(input: Tensor) -> str:
    return f"{_known_elements(input)} elements" if input.rank is not None else "several elements"


@op("tolist")
def tolist(input: Tensor) -> Unknown:
    """The elements as nested lists."""
    return Unknown("values of the elements")
