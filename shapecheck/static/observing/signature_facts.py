"""What calls of a function show about its arguments and its result: plain data, which several runs and processes join.

The join of two calls keeps what holds in both. A size is known by a number, by expressions of `self` and the arguments
that have its value (`paths`), by the equality with other sizes of the call (`key`), and by an expression of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

_MOST_NAMES = 6


class Kind(Enum):
    """What a value is."""

    UNKNOWN = "unknown"
    NONE = "None"
    TENSOR = "tensor"
    TUPLE = "tuple"
    LIST = "list"
    OTHER = "other"
    MIXED = "mixed"
    """Of several kinds."""


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
    """The items of a tuple; of a list, what all items have in common."""
    text: str = ""
    """The type of another value, if it has a plain name."""
    broadcasts: frozenset[str] = frozenset()
    """Of a result: the arguments of unknown rank with whose shapes it broadcasts."""

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


def join_calls(one: CallFacts, other: CallFacts, *, strict: bool = False) -> CallFacts:
    """What both calls show; `strict`: nothing about a value that one of them does not know."""
    names = dict.fromkeys((*one.arguments, *other.arguments))
    arguments = {
        name: join_values(one.arguments.get(name, UNKNOWN), other.arguments.get(name, UNKNOWN), strict=strict)
        for name in names
    }
    return CallFacts(arguments, join_values(one.result, other.result, strict=strict))


def join_values(one: ValueFacts, other: ValueFacts, *, strict: bool = False) -> ValueFacts:
    """What holds for both values; an unknown one is ignored, unless `strict`."""
    if one == other:
        return one
    if Kind.UNKNOWN in (one.kind, other.kind):
        return UNKNOWN if strict else other if one.kind is Kind.UNKNOWN else one
    if Kind.NONE in (one.kind, other.kind):
        rest = other if one.kind is Kind.NONE else one
        return rest if rest.kind is Kind.NONE else replace(rest, is_optional=True)
    optional = one.is_optional or other.is_optional
    if one.kind is not other.kind or one.text != other.text:
        return ValueFacts(Kind.MIXED, optional)
    if one.kind is Kind.TENSOR and one.shape is not None and other.shape is not None:
        dtype = one.dtype if one.dtype == other.dtype else None
        shape, broadcasts = join_shapes(one.shape, other.shape), one.broadcasts & other.broadcasts
        return ValueFacts(Kind.TENSOR, optional, shape, dtype, broadcasts=broadcasts)
    if len(one.items) != len(other.items):
        return ValueFacts(Kind.MIXED, optional)
    items = tuple(join_values(a, b, strict=strict) for a, b in zip(one.items, other.items, strict=True))
    return replace(one, is_optional=optional, items=items)


def join_shapes(one: ShapeFacts, other: ShapeFacts) -> ShapeFacts:
    """The sizes that both shapes have at the same distance from the start or the end."""
    if one == other:
        return one
    if one.tail is None and other.tail is None and len(one.head) == len(other.head):
        return ShapeFacts(_joined(one.head, other.head))
    ends = [(shape.head if shape.tail is None else shape.tail) for shape in (one, other)]
    count = min(map(len, ends))
    tail = list(_joined(ends[0][len(ends[0]) - count :], ends[1][len(ends[1]) - count :]))
    ranked = [len(shape.head) for shape in (one, other) if shape.tail is None]
    if len(ranked) == 2:
        head: tuple[SizeFacts, ...] = ()
        equal = [a == b for a, b in zip(ends[0][-count:], ends[1][-count:], strict=True)] if count else []
        while tail and tail[0].number is None and not tail[0].paths and not equal[-len(tail)]:
            del tail[0]
    else:
        first = min(len(one.head), len(other.head), *(rank - len(tail) for rank in ranked))
        head = _joined(one.head[:first], other.head[:first])
    unknown_ones = [_between(shape, len(head), len(tail)) for shape in (one, other)]
    is_same_run = unknown_ones[0] == unknown_ones[1] == (one.run,)
    return ShapeFacts(head, tuple(tail), one.run if is_same_run else hash(tuple(unknown_ones)))


def _between(shape: ShapeFacts, first: int, last: int) -> tuple[int, ...]:
    """The keys of the dimensions without so many at either end: equal for equal dimensions."""
    if shape.tail is None:
        return tuple(one.key for one in shape.head[first : len(shape.head) - last])
    before, after = shape.head[first:], shape.tail[: len(shape.tail) - last]
    return (*(one.key for one in before), shape.run, *(one.key for one in after))


def _joined(ones: tuple[SizeFacts, ...], others: tuple[SizeFacts, ...]) -> tuple[SizeFacts, ...]:
    return tuple(join_sizes(a, b) for a, b in zip(ones, others, strict=True))


def _joined_key(one: int, other: int) -> int:
    """The key of a pair. Equal keys stay, as those of equal sizes do, which are not joined."""
    return one if one == other else hash((one, other))


def join_sizes(one: SizeFacts, other: SizeFacts) -> SizeFacts:
    """What holds for both sizes."""
    if one == other:
        return one
    return SizeFacts(
        _joined_key(one.key, other.key),
        one.number if one.number == other.number else None,
        tuple(path for path in one.paths if path in other.paths),
        one.expression if one.expression == other.expression else None,
        tuple(dict.fromkeys((*one.names, *other.names)))[:_MOST_NAMES],
        one.is_symbolic or other.is_symbolic,
        one.is_variable and other.is_variable,
    )


def sizes_in(value: ValueFacts, *, in_lists: bool = True) -> Iterator[SizeFacts]:
    """The sizes of all tensors in a value."""
    if value.shape is not None:
        yield from value.shape.head
        yield from value.shape.tail or ()
    if in_lists or value.kind is not Kind.LIST:
        for one in value.items:
            yield from sizes_in(one, in_lists=in_lists)
