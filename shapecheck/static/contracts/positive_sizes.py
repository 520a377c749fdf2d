"""A size that nobody knows and an annotation names in `{...}` is the size of an axis: it counts as at least 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from shapecheck.spec import Bindings, Dim, Shape, Size, unknown
from shapecheck.spec.dim import at_least, variables
from shapecheck.spec.dim import substitute as put_in
from shapecheck.static.domain.substitution import substitute

_V = TypeVar("_V")
Sizes = Mapping[Dim, Size]


def positive_in(bindings: Bindings) -> Sizes:
    """For each unknown size in the holes one that is at least 1."""
    unknown_sizes = {one for value in bindings.holes.values() if isinstance(value, Dim) for one in variables(value)}
    return {one: unknown(one.name, 1) for one in unknown_sizes if not at_least(one, 1)}


def with_sizes(value: _V, sizes: Sizes) -> _V:
    """A tensor, or tensors in a tuple, with other sizes put in."""
    if not sizes:
        return value
    return substitute(value, lambda size: put_in(size, sizes))


def bindings_with(bindings: Bindings, sizes: Sizes) -> Bindings:
    """Bindings with other sizes put in."""
    if not sizes:
        return bindings
    return Bindings(
        {name: put_in(size, sizes) for name, size in bindings.sizes.items()},
        {name: (spreads, _shape(shape, sizes)) for name, (spreads, shape) in bindings.runs.items()},
        {name: put_in(one, sizes) if isinstance(one, Dim) else one for name, one in bindings.holes.items()},
        bindings.open,
    )


def _shape(shape: Shape, sizes: Sizes) -> Shape:
    def put(dims: tuple[Size, ...]) -> tuple[Size, ...]:
        return tuple(put_in(one, sizes) for one in dims)

    return Shape(put(shape.head), shape.run, put(shape.tail))
