"""What calls of a function show about its arguments and its result: plain data, which several runs and processes join.

A size is known by a number, by expressions of `self` and the arguments that have its value (`paths`), by the equality
with other sizes of the call (`key`), and by an expression of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

MOST_MEMBERS = 3
"""The most members of a union."""


class Kind(Enum):
    """What a value is."""

    UNKNOWN = "unknown"
    NONE = "None"
    TENSOR = "tensor"
    TUPLE = "tuple"
    LIST = "list"
    OTHER = "other"
    UNION = "union"
    """A tensor, a tuple or a list, depending on the call."""
    MIXED = "mixed"
    """Of several kinds that have no common type."""


@dataclass(frozen=True, slots=True)
class SizeFacts:
    """What is known about one size."""

    key: int
    """Equal sizes of one call have equal keys."""
    number: int | None = None
    paths: tuple[str, ...] = ()
    """Expressions such as `self.width` that have this value, the simplest first."""
    expression: str | None = None
    """The size as an expression; `@x:0` is the first size of the argument `x`, `{...}` one of the paths."""
    names: tuple[str, ...] = ()
    """The local variables that have this value, and names that the source gives to the size."""
    is_symbolic: bool = False
    """Whether some call showed it as a symbolic size, so that its equality with others is no coincidence."""
    is_variable: bool = False
    """Whether it was one unknown size, not a number or an expression, in each call."""
    why: str = ""
    """Where it comes from, if not from the source."""


@dataclass(frozen=True, slots=True)
class ShapeFacts:
    """The sizes of a tensor: `tail` is None if the number of dimensions is known, else it follows unknown ones."""

    head: tuple[SizeFacts, ...]
    tail: tuple[SizeFacts, ...] | None = None
    run: int = 0
    """Equal unknown dimensions of one call have equal keys."""

    @property
    def says_nothing(self) -> bool:
        """Whether nothing is known, not even the number of dimensions."""
        return self.tail is not None and not self.tail and not self.head


@dataclass(frozen=True, slots=True)
class ValueFacts:
    """What is known about one value."""

    kind: Kind = Kind.UNKNOWN
    is_optional: bool = False
    """Whether it may be None instead."""
    shape: ShapeFacts | None = None
    dtype: str | None = None
    """A class of jaxtyping; None if it is not known."""
    items: tuple[ValueFacts, ...] = ()
    """The items of a tuple; of a list, what all items have in common; the members of a union."""
    text: str = ""
    """The type of another value, if it has a plain name."""
    broadcasts: frozenset[str] = frozenset()
    """Of a result: the arguments of unknown rank with whose shapes it broadcasts."""

    @property
    def members(self) -> tuple[ValueFacts, ...]:
        """The members of a union; of any other value, itself."""
        return self.items if self.kind is Kind.UNION else (self,)

    @property
    def form(self) -> tuple[Kind, int]:
        """The kind and, of a tuple, the number of items: the members of a union have different ones."""
        return self.kind, len(self.items) if self.kind is Kind.TUPLE else 0

    def member_like(self, other: ValueFacts) -> ValueFacts | None:
        """The member of the same kind as another value; of a tuple, also of the same length."""
        return next((one for one in self.members if one.form == other.form), None)

    @property
    def has_unknown(self) -> bool:
        """Whether it is unknown, or has an unknown item."""
        return self.kind is Kind.UNKNOWN or any(one.has_unknown for one in self.items)


UNKNOWN = ValueFacts()


@dataclass(frozen=True, slots=True)
class CallFacts:
    """The arguments by parameter, and the result."""

    arguments: dict[str, ValueFacts] = field(default_factory=dict)
    result: ValueFacts = UNKNOWN


def sizes_in(value: ValueFacts) -> Iterator[SizeFacts]:
    """The sizes of all tensors in a value."""
    if value.shape is not None:
        yield from value.shape.head
        yield from value.shape.tail or ()
    for one in value.items:
        yield from sizes_in(one)
