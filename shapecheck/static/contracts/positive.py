"""A size that nobody knows and an annotation names in `{...}` is the size of an axis: it counts as at least 1."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.spec import Bindings, Dim, Shape, Size, TensorSpec, substitute, unknown
from shapecheck.spec.dim import at_least, variables
from shapecheck.static.values import Value

Positive = Mapping[Dim, Dim]


def positive_in(bindings: Bindings) -> Positive:
    """For each unknown size in the holes one that is at least 1."""
    sizes = {one for value in bindings.holes.values() if isinstance(value, Dim) for one in variables(value)}
    return {one: unknown(one.name, 1) for one in sizes if not at_least(one, 1)}


def with_positive(value: Value, positive: Positive) -> Value:
    """A tensor, or tensors in a tuple, with those sizes put in."""
    if isinstance(value, TensorSpec):
        return value.with_shape(_shape(value.shape, positive))
    if type(value) is tuple:
        return tuple(with_positive(one, positive) for one in value)
    return value


def bindings_with(bindings: Bindings, positive: Positive) -> Bindings:
    """Bindings with those sizes put in."""
    return Bindings(
        {name: substitute(size, positive) for name, size in bindings.sizes.items()},
        {name: (spreads, _shape(shape, positive)) for name, (spreads, shape) in bindings.runs.items()},
        {name: substitute(one, positive) if isinstance(one, Dim) else one for name, one in bindings.holes.items()},
        bindings.open,
    )


def _shape(shape: Shape, positive: Positive) -> Shape:
    def put(dims: tuple[Size, ...]) -> tuple[Size, ...]:
        return tuple(substitute(one, positive) for one in dims)

    return Shape(put(shape.head), shape.run, put(shape.tail))
