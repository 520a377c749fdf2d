"""Tensors about which nothing is known but an annotation, which is often wrong: they may be lists of tensors.

So the items `x[0]` and `x[1]` have nothing in common, until a use of `x` itself shows that it is one tensor.
"""

from __future__ import annotations

from shapecheck.spec import Dim, Shape, TensorSpec, VariadicAxes
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of


def may_be_list(value: TensorSpec, key: Value) -> bool:
    """Whether a value may be a list of tensors, or a slice of one, as far as it is known, and a key selects an item."""
    shape = value.shape
    if shape.run is None or shape.tail or shape.run.name is not None or len(shape.head) != shape.run.is_rest:
        return False
    return value.dtype is None and mark_of(value) is None and isinstance(key, (int, Dim))


def item_of_unknown(value: TensorSpec, key: Value) -> TensorSpec:
    """An item of a tensor that may be a list: the same one for the same number."""
    run = value.shape.run or VariadicAxes()
    axes = run.of_item(key) if type(key) is int else VariadicAxes().of_item(None)
    return TensorSpec.make(Shape((), axes), None)
