"""A tensor as a Python number, truth value or list."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, ShapeError
from shapecheck.spec.elements import known_elements, never_has_one_element


@op("item", "__float__", "__int__", "__index__", "__complex__")
def item(input: Tensor) -> Unknown:
    """The only element, as an unknown number."""
    if never_has_one_element(input.shape):
        raise CallError(f"cannot convert a tensor of {_elements(input)} to a Python scalar: shape {input.shape}")
    return Unknown("value of an element")


@op("__bool__")
def truth(input: Tensor) -> Unknown:
    """The truth value of the only element."""
    if never_has_one_element(input.shape):
        elements = _elements(input)
        raise ShapeError(
            f"the truth value of a tensor of {elements} is ambiguous, use any() or all(): shape {input.shape}"
        )
    return Unknown("truth of an element")


def _elements(input: Tensor) -> str:
    return f"{known_elements(input.shape)} elements" if input.rank is not None else "several elements"


@op("tolist")
def tolist(input: Tensor) -> Unknown:
    """The elements as nested lists."""
    return Unknown("values of the elements")
