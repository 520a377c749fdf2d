"""Dimensions of unknown number that carry a fact of a rule, wherever the tensor goes: into lists, objects and joins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from shapecheck.spec import Shape, TensorSpec, VariadicAxes
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ListValue

_MOST_ITEMS = 32


class Followed(Protocol):
    """A fact about the shape of a tensor."""

    def joined(self, other: Followed) -> Followed | None:
        """The fact about a tensor that is one of two; None if there is none."""

    def resized(self, dim: int) -> Followed | None:
        """The fact about a tensor with an unknown size at `dim`; None if there is none."""


class FollowedAxes(VariadicAxes):
    """A run of dimensions with a fact."""

    __slots__ = ("fact",)

    def __init__(self, fact: Followed) -> None:
        super().__init__()
        self.fact = fact


def fact_of(value: Value) -> Followed | None:
    """The fact that a tensor carries."""
    run = value.shape.run if type(value) is TensorSpec else None
    return run.fact if type(run) is FollowedAxes else None


def with_fact(value: TensorSpec, fact: Followed) -> TensorSpec:
    """A tensor of unknown rank that carries a fact."""
    return value.with_shape(Shape(value.shape.head, FollowedAxes(fact), value.shape.tail), value.layout)


def facts_in(values: Iterable[Value]) -> list[Followed]:
    """The facts that tensors carry, also in lists and tuples."""
    found: list[Followed] = []
    for value in values:
        if type(value) is TensorSpec:
            if type(value.shape.run) is FollowedAxes:
                found.append(value.shape.run.fact)
        elif type(value) is ListValue or type(value) is tuple:
            items = value.items if isinstance(value, ListValue) else value
            found += [fact for one in items[:_MOST_ITEMS] if (fact := fact_of(one)) is not None]
    return found


def with_facts(values: tuple[Value, ...], given: tuple[Value, ...]) -> tuple[Value, ...]:
    """Values of which more is known by now; what had a fact when it was given keeps it."""
    if values is given or len(values) != len(given):
        return values
    return tuple([old if fact_of(old) is not None else new for new, old in zip(values, given, strict=True)])


def joined_axes(one: VariadicAxes | None, other: VariadicAxes | None) -> VariadicAxes:
    """The dimensions of unknown number of a tensor that is one of two."""
    if type(one) is FollowedAxes and type(other) is FollowedAxes and (fact := one.fact.joined(other.fact)) is not None:
        return FollowedAxes(fact)
    return VariadicAxes()


def fresh_axes(axes: VariadicAxes | None) -> VariadicAxes | None:
    """Those of one more item that an element summarizes: other dimensions with the same fact."""
    if type(axes) is FollowedAxes:
        return FollowedAxes(axes.fact)
    return VariadicAxes() if axes is not None and axes.name is None else axes


def resized_axes(axes: VariadicAxes | None, dim: int) -> VariadicAxes:
    """The dimensions of unknown number of a tensor of which one more size is unknown."""
    fact = axes.fact.resized(dim) if type(axes) is FollowedAxes else None
    return VariadicAxes() if fact is None else FollowedAxes(fact)
