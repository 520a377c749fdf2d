"""Alternatives: a value that is one of a few, depending on an unknown condition."""

from __future__ import annotations

from collections.abc import Iterable

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import AbstractValue, Value

MOST_MEMBERS = 4


class Alternatives(AbstractValue, Unknown):
    """One of at least two `members`, none of them unknown; code that does not handle alternatives sees an Unknown."""

    __slots__ = ("members",)

    def __init__(self, members: tuple[Value, ...]) -> None:
        super().__init__("one of several values")
        self.members = members

    def children(self) -> tuple[Value, ...]:
        """Its members."""
        return self.members

    def rebuild(self, parts: tuple[Value, ...]) -> Alternatives:
        """One of these."""
        return Alternatives(parts)


class MaybeAbsent(AbstractValue, Unknown):
    """An item of a dict that may be absent, and is `value` if present."""

    __slots__ = ("value",)
    child_slots = ("value",)

    def __init__(self, value: Value) -> None:
        super().__init__("a value that may be absent")
        self.value = value


def present(value: Value) -> Value:
    """An item of a dict that must be present."""
    return value.value if isinstance(value, MaybeAbsent) else value


class Never(AbstractValue, Unknown):
    """The result of code that certainly fails, or does not return."""

    __slots__ = ()


class NoReturn(Never):
    """The result of a call that never returns, because it raises or exits: what follows is not executed."""

    __slots__ = ()


class OpenShape(AbstractValue, Unknown):
    """The shape of a tensor of unknown rank, or the rank itself: some sizes and a lower bound of the rank are known."""

    __slots__ = ("spec",)
    child_slots = ("spec",)

    def __init__(self, spec: TensorSpec) -> None:
        super().__init__("unknown rank")
        self.spec = spec

    @property
    def least(self) -> int:
        """The lower bound of the rank."""
        return self.spec.shape.least_rank

    def part(self, key: Value) -> Value:
        """The sizes at an index or in a slice; Unknown if the run hides them."""
        shape = self.spec.shape
        if type(key) is int:
            return shape.size(key)
        if isinstance(key, slice) and key.step is None:
            start, stop = key.start, key.stop
            if type(start) is int and stop is None and 0 < -start <= len(shape.tail):
                return shape.tail[start:]
            if start in (None, 0) and type(stop) is int and 0 <= stop <= len(shape.head):
                return shape.head[:stop]
        return Unknown("part of a shape of unknown rank")


def members_of(value: Value) -> tuple[Value, ...]:
    """The members of alternatives; any other value is its only member."""
    return value.members if isinstance(value, Alternatives) else (value,)


def one_of(values: Iterable[Value]) -> Value:
    """The alternatives with these members, which must be distinct; Unknown if there are too many."""
    found = tuple(values)
    if len(found) == 1:
        return found[0]
    if not found or len(found) > MOST_MEMBERS or any(isinstance(one, Unknown) for one in found):
        return Unknown("too many different values")
    return Alternatives(found)


def without_none(value: Value) -> Value:
    """The value after a use that None does not support."""
    if not isinstance(value, Alternatives):
        return value
    return one_of(one for one in value.members if one is not None)
