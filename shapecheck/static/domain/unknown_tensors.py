"""Tensors about which nothing is known but an annotation, which is often wrong: they may be lists of tensors.

So the items `x[0]` and `x[1]` have nothing in common, until a use of `x` itself shows that it is one tensor.
"""

from __future__ import annotations

from collections.abc import Hashable

from shapecheck.spec import Dim, Shape, TensorSpec, VariadicAxes
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.values import SliceWindow


def may_be_list(value: TensorSpec, key: Value) -> bool:
    """Whether a value may be a list of tensors as far as it is known, and a key is one that a list takes."""
    shape = value.shape
    if shape.run is None or shape.head or shape.tail or shape.run.is_rest or shape.run.name is not None:
        return False
    return value.dtype is None and mark_of(value) is None and isinstance(key, (int, Dim, slice, SliceWindow))


def item_of_unknown(value: TensorSpec, key: Value) -> TensorSpec:
    """An item, or some items, of a tensor that may be a list: the same one for the same number."""
    run, place = value.shape.run or VariadicAxes(), _place(key)
    axes = (VariadicAxes() if place is None else run).of_item(place)
    return TensorSpec.make(Shape((), axes), None)


def _place(key: Value) -> Hashable | None:
    """What identifies the places that a key selects; None if they are unknown."""
    if type(key) is int:
        return key
    if not isinstance(key, slice):
        return None
    bounds = (key.start, key.stop, key.step)
    return bounds if all(one is None or type(one) is int for one in bounds) else None
