"""Substitution of the sizes in a value: by learned ones, or by new ones for each item."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from shapecheck.spec import Dim, Shape, Size, TensorSpec, VariadicAxes
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import MaybeAbsent
from shapecheck.static.domain.structure import map_children

_V = TypeVar("_V")
SizeOf = Callable[[Size], Size]
VariadicOf = Callable[[VariadicAxes | None], VariadicAxes | None]


def substitute(value: _V, size_of: SizeOf, variadic_of: VariadicOf | None = None) -> _V:
    """A size or tensor, or a tuple or list of them, with sizes and variadic axes replaced; itself if none is."""
    if isinstance(value, Dim):
        return size_of(value)  # type: ignore[return-value] # a size for a size
    if isinstance(value, TensorSpec):
        return _in_tensor(value, size_of, variadic_of)  # type: ignore[return-value] # a tensor for a tensor
    if type(value) in (tuple, list, MaybeAbsent):

        def changed(one: Value) -> Value:
            return substitute(one, size_of, variadic_of)

        return map_children(value, changed)
    return value


def _in_tensor(value: TensorSpec, size_of: SizeOf, variadic_of: VariadicOf | None) -> TensorSpec:
    shape = value.shape
    head, tail = _in_sizes(shape.head, size_of), _in_sizes(shape.tail, size_of)
    run = shape.run if variadic_of is None else variadic_of(shape.run)
    if head is shape.head and tail is shape.tail and run is shape.run:
        return value
    strides = None if value.strides is None else _in_sizes(value.strides, size_of)
    return TensorSpec.make(Shape(head, run, tail), value.dtype, value.layout, value.device, strides)


def _in_sizes(sizes: tuple[Size, ...], size_of: SizeOf) -> tuple[Size, ...]:
    found = tuple(map(size_of, sizes))
    return sizes if found == sizes else found
