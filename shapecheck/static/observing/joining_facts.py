"""The join of what two calls of a function show: it keeps what holds in both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from shapecheck.static.observing.signature_facts import (
    MOST_MEMBERS,
    UNKNOWN,
    CallFacts,
    Kind,
    ShapeFacts,
    SizeFacts,
    ValueFacts,
)

_MOST_NAMES = 6
_IN_UNIONS = (Kind.TENSOR, Kind.LIST, Kind.TUPLE)
"""What a member of a union may be, in the order in which they are written."""

Rename = Callable[[int], int]
"""The new key of a key."""


def join_calls(one: CallFacts, other: CallFacts, *, strict: bool = False) -> CallFacts:
    """What both calls show; `strict`: nothing about a value that one of them does not know."""
    names = dict.fromkeys((*one.arguments, *other.arguments))
    pairs = {name: (one.arguments.get(name, UNKNOWN), other.arguments.get(name, UNKNOWN)) for name in names}
    results = one.result, other.result
    keys = _joined_keys((*pairs.values(), results))

    def joined(a: ValueFacts, b: ValueFacts) -> ValueFacts:
        return join_values(_with_lone_members(a, b, keys[0]), _with_lone_members(b, a, keys[1]), strict=strict)

    return CallFacts({name: joined(*pair) for name, pair in pairs.items()}, joined(*results))


def _joined_keys(pairs: tuple[tuple[ValueFacts, ValueFacts], ...]) -> tuple[Rename, Rename]:
    """The key of a size after the join, for either call; a size that only one of them has is equal to no other."""
    found: tuple[dict[int, int], dict[int, int]] = {}, {}
    for a, b in (keys for pair in pairs for keys in _paired_keys(*pair)):
        found[0].setdefault(a, _joined_key(a, b))
        found[1].setdefault(b, _joined_key(a, b))
    return (lambda key: found[0].get(key, hash((7, key)))), (lambda key: found[1].get(key, hash((8, key))))


def _paired_keys(one: ValueFacts, other: ValueFacts) -> Iterator[tuple[int, int]]:
    """The keys at the same place in both values."""
    for member in one.members:
        like = other.member_like(member)
        if like is None:
            continue
        a, b = member.shape, like.shape
        if a is not None and b is not None and a.tail is None and b.tail is None and len(a.head) == len(b.head):
            yield from ((x.key, y.key) for x, y in zip(a.head, b.head, strict=True))
        for x, y in zip(member.items, like.items, strict=True):
            yield from _paired_keys(x, y)


def _with_lone_members(value: ValueFacts, other: ValueFacts, rename: Rename) -> ValueFacts:
    """The value with new keys in the members of a union that the other value does not have."""
    if other.kind is not Kind.UNION and other.kind not in _IN_UNIONS:
        return value
    members = []
    for member in value.members:
        like = other.member_like(member)
        if like is None:
            members.append(_renamed(member, rename))
        else:
            pairs = zip(member.items, like.items, strict=True)
            members.append(replace(member, items=tuple(_with_lone_members(a, b, rename) for a, b in pairs)))
    return replace(value, items=tuple(members)) if value.kind is Kind.UNION else members[0]


def _renamed(value: ValueFacts, rename: Rename) -> ValueFacts:
    def size(one: SizeFacts) -> SizeFacts:
        return replace(one, key=rename(one.key))

    shape = value.shape
    if shape is not None:
        tail = None if shape.tail is None else tuple(map(size, shape.tail))
        shape = ShapeFacts(tuple(map(size, shape.head)), tail, rename(shape.run))
    return replace(value, shape=shape, items=tuple(_renamed(one, rename) for one in value.items))


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
    if Kind.UNION in (one.kind, other.kind) or one.form != other.form:
        return replace(_union(one, other, strict=strict), is_optional=optional)
    if one.text != other.text:
        return ValueFacts(Kind.MIXED, optional)
    if one.kind is Kind.TENSOR and one.shape is not None and other.shape is not None:
        dtype = one.dtype if one.dtype == other.dtype else None
        shape, broadcasts = join_shapes(one.shape, other.shape), one.broadcasts & other.broadcasts
        return ValueFacts(Kind.TENSOR, optional, shape, dtype, broadcasts=broadcasts)
    items = tuple(join_values(a, b, strict=strict) for a, b in zip(one.items, other.items, strict=True))
    return replace(one, is_optional=optional, items=items)


def _union(one: ValueFacts, other: ValueFacts, *, strict: bool) -> ValueFacts:
    """The union of two values; equal forms are joined. Members that only one of them has keep their keys."""
    found = {member.form: member for member in one.members}
    for member in other.members:
        known = found.get(member.form)
        found[member.form] = member if known is None else join_values(known, member, strict=strict)
    if len(found) > MOST_MEMBERS or any(member.kind not in _IN_UNIONS for member in found.values()):
        return ValueFacts(Kind.MIXED)
    members = sorted(found.values(), key=lambda member: (_IN_UNIONS.index(member.kind), len(member.items)))
    return ValueFacts(Kind.UNION, items=tuple(replace(member, is_optional=False) for member in members))


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
