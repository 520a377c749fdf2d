"""Distributions as abstract values: batch shape, event shape, and the dtypes of samples and parameters."""

from __future__ import annotations

from typing import NamedTuple

from shapecheck.spec import DType, Shape, TensorSpec
from shapecheck.static.domain.abstract_values import AbstractValue


class DistributionSpec(AbstractValue):
    """The known properties of a distribution. Immutable."""

    __slots__ = ("known",)
    key_slots = ("known",)

    def __init__(self, name: str, batch: Shape, event: Shape, dtype: DType | None, sampled: DType | None) -> None:
        self.known = _Known(name, batch, event, dtype, sampled)

    @property
    def name(self) -> str:
        """The class of torch.distributions."""
        return self.known.name

    @property
    def batch(self) -> Shape:
        """The shape of the log-probabilities."""
        return self.known.batch

    @property
    def event(self) -> Shape:
        """The shape of one event."""
        return self.known.event

    @property
    def full(self) -> Shape:
        """The shape of a sample."""
        return joined(self.batch, self.event)

    def of_batch(self) -> TensorSpec:
        """A log-probability or an entropy."""
        return TensorSpec.make(self.batch, self.known.dtype)

    def of_events(self) -> TensorSpec:
        """A mean or a variance."""
        return TensorSpec.make(self.full, self.known.dtype)

    def with_shapes(self, batch: Shape, event: Shape) -> DistributionSpec:
        """The same kind of distribution over other shapes."""
        return DistributionSpec(self.name, batch, event, self.known.dtype, self.known.sampled)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DistributionSpec) and self.known == other.known

    def __hash__(self) -> int:
        return hash(self.known)


class _Known(NamedTuple):
    name: str
    batch: Shape
    event: Shape
    dtype: DType | None
    sampled: DType | None


def joined(first: Shape, second: Shape) -> Shape:
    """The concatenation of two shapes."""
    if second.run is None:
        if first.run is None:
            return Shape((*first.head, *second.head))
        return Shape(first.head, first.run, (*first.tail, *second.head))
    if first.run is None:
        return Shape((*first.head, *second.head), second.run, second.tail)
    return Shape(first.head, Shape.anything().run, second.tail)
