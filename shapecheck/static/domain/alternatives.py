"""A small set of values of which one is meant: what an unknown condition leaves open."""

from __future__ import annotations

from collections.abc import Iterable

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import AbstractValue, Value

MOST_MEMBERS = 4


class Alternatives(AbstractValue, Unknown):
    """One of `members`, at least two, none of them unknown; who does not look at them takes it for unknown."""

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
    """In a dict: an item that may be absent, and is `value` if it is there."""

    __slots__ = ("value",)
    child_slots = ("value",)

    def __init__(self, value: Value) -> None:
        super().__init__("it may be absent")
        self.value = value


def present(value: Value) -> Value:
    """An item of a dict, where it must be there."""
    return value.value if isinstance(value, MaybeAbsent) else value


class Never(AbstractValue, Unknown):
    """What would give this value fails for sure, or does not return."""

    __slots__ = ()


def members_of(value: Value) -> tuple[Value, ...]:
    """The values that it may be, as far as they are told apart."""
    return value.members if isinstance(value, Alternatives) else (value,)


def one_of(values: Iterable[Value]) -> Value:
    """The value that is one of these, which differ from one another."""
    found = tuple(values)
    if len(found) == 1:
        return found[0]
    if not found or len(found) > MOST_MEMBERS or any(isinstance(one, Unknown) for one in found):
        return Unknown("too many different values")
    return Alternatives(found)


def without_none(value: Value) -> Value:
    """The value where it is used in a way that None does not allow."""
    if not isinstance(value, Alternatives):
        return value
    return one_of(one for one in value.members if one is not None)
