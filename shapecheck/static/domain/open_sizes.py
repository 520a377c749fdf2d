"""Sizes of which a stretch is unknown: `x.shape` of a tensor of unknown rank, and what is made from it.

`(*x.shape[:-1], heads, -1)` keeps the stretch, so that `x.view(...)` with it has the leading dimensions of `x`.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Shape, Size, TensorSpec, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import OpenShape

_MOST_SIZES = 8


class OpenSizes(OpenShape):
    """A tuple or list of sizes, as the shape of a tensor of unknown rank; -1 is a size to be inferred."""

    __slots__ = ()

    @staticmethod
    def of(shape: Shape) -> OpenSizes:
        """These sizes."""
        return OpenSizes(TensorSpec.make(shape, None))

    def part(self, key: Value) -> Value:
        """The sizes at an index or in a slice; a slice from one end to the other keeps the stretch."""
        if not isinstance(key, slice) or key.step is not None:
            return super().part(key)
        start, stop = key.start or 0, key.stop
        if type(start) is not int or (stop is not None and type(stop) is not int):
            return Unknown("part of a shape of unknown rank")
        if max(abs(start), abs(stop or 0)) > _MOST_SIZES:
            return Unknown("part of a shape of unknown rank")
        shape = self.spec.shape
        if start >= 0 and (stop is None or stop < 0):
            return OpenSizes.of(_without_ends(shape, start, -(stop or 0)))
        if start < 0 and (stop is None or stop < 0):
            return tuple(shape.size(at) for at in range(start, stop or 0))
        if start >= 0 and stop is not None:
            return tuple(shape.size(at) for at in range(start, stop))
        return Unknown("part of a shape of unknown rank")


def with_sizes(before: Sequence[Value], part: OpenShape, after: Sequence[Value]) -> OpenSizes:
    """The sizes of a shape, and others before and after them."""
    shape = part.spec.shape
    head, tail = (tuple(map(as_size, ends)) for ends in (before, after))
    return OpenSizes.of(Shape((*head, *shape.head), shape.run, (*shape.tail, *tail)))


def as_size(value: Value) -> Size:
    """A size among other ones: an unknown one unless it is known."""
    return value if type(value) is int or isinstance(value, Dim) else unknown(low=0)


def _without_ends(shape: Shape, first: int, last: int) -> Shape:
    for _ in range(first):
        shape = shape.without(0)
    for _ in range(last):
        shape = shape.without(-1)
    return shape
