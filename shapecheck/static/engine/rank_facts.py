"""Rank facts: the dimensions that runs of unknown length turn out to consist of on the way to the running code.

A tensor of shape `(..., 64)` that reaches a layer for 4-D inputs has three dimensions in place of its run. So has every
tensor with the same run: what `x * 2` learns, `x` learns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shapecheck.spec import Shape, Size, TensorSpec, VariadicAxes, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.open_sizes import OpenSizes
from shapecheck.static.domain.structure import map_children
from shapecheck.static.domain.symbolic_argument import SymbolicArgument

Tensors = Mapping[VariadicAxes, TensorSpec]
"""The tensors that symbolic arguments are, by the dimensions of the argument: unknown values are all equal."""
_NOTHING: Mapping[Any, Any] = {}
_MOST_LINKS = 8
"""How often a run may be replaced by a shape with another run that is known as well."""


class RankFacts:
    """An immutable set of facts; `RankFacts()` is empty."""

    __slots__ = ("_hash", "_parts", "_tensors")

    def __init__(self, parts: Mapping[VariadicAxes, Shape] = _NOTHING, tensors: Tensors = _NOTHING) -> None:
        self._parts = dict(parts)
        self._tensors = dict(tensors)
        self._hash = hash((frozenset(self._parts.items()), frozenset(self._tensors)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RankFacts) or self._tensors.keys() != other._tensors.keys():
            return False
        return self._parts == other._parts

    def __hash__(self) -> int:
        return self._hash

    def with_part(self, axes: VariadicAxes, part: Shape) -> RankFacts:
        """These facts, and that a run consists of these dimensions."""
        return RankFacts({**self._parts, axes: part}, self._tensors)

    def with_tensor(self, argument: SymbolicArgument, tensor: TensorSpec) -> RankFacts:
        """These facts, and that an argument is a tensor."""
        return RankFacts(self._parts, {**self._tensors, argument.axes: tensor})

    def shape_of(self, shape: Shape) -> Shape:
        """The shape with all known dimensions in place of its run."""
        for _ in range(_MOST_LINKS):
            part = None if shape.run is None else self._part_of(shape.run)
            if part is None:
                break
            shape = filled(shape, part)
        return shape

    def _part_of(self, axes: VariadicAxes) -> Shape | None:
        """The dimensions that a run consists of; None if they are unknown."""
        found = self._parts.get(axes)
        if found is None and axes.is_rest:
            whole, first, last = axes.whole
            known = self._parts.get(whole)
            known = None if known is None else self.shape_of(known)
            if known is not None and known.run is None and len(known.head) >= first + last:
                return Shape(known.head[first : len(known.head) - last])
        return _counted(axes, self.shape_of) if found is None and axes.longer_than is not None else found

    def apply(self, value: Value) -> Value:
        """A tensor, or a tuple of values, with all known dimensions."""
        if type(value) is SymbolicArgument:
            value = self._tensors.get(value.axes, value)
        if isinstance(value, TensorSpec):
            if value.shape.run is None:
                return value
            shape = self.shape_of(value.shape)
            if shape is value.shape:
                return value
            return TensorSpec.make(shape, value.dtype, value.layout, value.device)
        if type(value) is OpenSizes:
            shape = self.shape_of(value.spec.shape)
            return shape.head if shape.run is None else value if shape is value.spec.shape else OpenSizes.of(shape)
        return map_children(value, self.apply) if type(value) is tuple else value

    def joined(self, others: Sequence[RankFacts]) -> RankFacts:
        """What holds in several branches: the runs that have equally many dimensions in all of them."""
        kept: dict[VariadicAxes, Shape] = {}
        for axes in self._parts:
            parts = [one.shape_of(Shape((), axes)) for one in (self, *others)]
            if all(one == parts[0] for one in parts):
                kept[axes] = parts[0]
            elif all(one.rank is not None and one.rank == parts[0].rank for one in parts):
                sizes = zip(*(one.head for one in parts), strict=True)
                kept[axes] = Shape(tuple(map(_common, sizes)))
        tensors = {one: known for one, known in self._tensors.items() if all(one in each._tensors for each in others)}
        return RankFacts(kept, tensors) if kept or tensors else NO_RANKS


NO_RANKS = RankFacts()


def _counted(axes: VariadicAxes, shape_of: Callable[[Shape], Shape]) -> Shape | None:
    """As many unknown sizes as a run is longer than another one; None if the length of that one is unknown."""
    base, more = axes.longer_than or (axes, 0)
    rank = shape_of(Shape((), base)).rank
    return None if rank is None or rank + more < 0 else Shape(axes.sizes(rank + more))


def _common(sizes: tuple[Size, ...]) -> Size:
    """The size of a dimension in several branches; a new unknown size, of the same name, if they differ."""
    if all(one == sizes[0] for one in sizes):
        return sizes[0]
    names = {str(one) for one in sizes}
    name = names.pop()
    return unknown("?" if names or not name.isidentifier() else name, low=0)


def part_between(before: Shape, after: Shape) -> Shape | None:
    """The dimensions that a refined shape has in place of the run; None if it does not show them."""
    ahead, behind = len(before.head), len(before.tail)
    if before.run is None or before.run is after.run or before.run.name is not None:
        return None
    if after.run is None:
        hidden = after.head[ahead : len(after.head) - behind]
        return Shape(hidden) if len(after.head) >= before.least_rank else None
    if len(after.head) < ahead or len(after.tail) < behind:
        return None
    return Shape(after.head[ahead:], after.run, after.tail[: len(after.tail) - behind])


def filled(shape: Shape, part: Shape) -> Shape:
    """The shape with these dimensions in place of its run."""
    if part.run is None:
        return Shape((*shape.head, *part.head, *shape.tail))
    return Shape((*shape.head, *part.head), part.run, (*part.tail, *shape.tail))
