"""Unknown sizes that an annotation mentions in `{...}` are sizes of axes, and assumed to be at least 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from shapecheck.spec import Bindings, Dim, Shape, Size, unknown
from shapecheck.spec.dim import at_least, variables
from shapecheck.spec.dim import substitute as substitute_size
from shapecheck.static.domain.substitution import substitute

_V = TypeVar("_V")
Sizes = Mapping[Dim, Size]


def positive_in(bindings: Bindings) -> Sizes:
    """Maps each unknown size in the holes to one that is at least 1."""
    unknown_sizes = {one for value in bindings.holes.values() if isinstance(value, Dim) for one in variables(value)}
    return {one: unknown(one.name, 1) for one in unknown_sizes if not at_least(one, 1)}


def with_sizes(value: _V, sizes: Sizes) -> _V:
    """Substitutes sizes in a tensor, or in tensors within a tuple."""
    if not sizes:
        return value
    return substitute(value, lambda size: substitute_size(size, sizes))


def bindings_with(bindings: Bindings, sizes: Sizes) -> Bindings:
    """Substitutes sizes in bindings."""
    if not sizes:
        return bindings
    return Bindings(
        {name: substitute_size(size, sizes) for name, size in bindings.sizes.items()},
        {name: (spreads, _shape(shape, sizes)) for name, (spreads, shape) in bindings.runs.items()},
        {name: substitute_size(one, sizes) if isinstance(one, Dim) else one for name, one in bindings.holes.items()},
        bindings.open,
    )


def _shape(shape: Shape, sizes: Sizes) -> Shape:
    def put(dims: tuple[Size, ...]) -> tuple[Size, ...]:
        return tuple(substitute_size(one, sizes) for one in dims)

    return Shape(put(shape.head), shape.run, put(shape.tail))
