"""One signature of what the body of a function requires and of what its callers pass.

What the body requires holds in every call that works. The callers add the number of dimensions, attributes with the
same value, and names. A number that callers pass is no requirement, so it is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from shapecheck.static.observing.call_observer import ObservedCalls
from shapecheck.static.observing.joining_facts import join_shapes
from shapecheck.static.observing.signature_facts import CallFacts, Kind, ShapeFacts, SizeFacts, ValueFacts, sizes_in

_fresh = count(1)


def combined(observed: ObservedCalls, *, trusts_callers: bool = True) -> CallFacts:
    """The arguments and the result of a function; equal keys are sizes that are equal in every known call."""
    required = observed.required or CallFacts()
    called = (observed.called if trusts_callers else None) or CallFacts()
    combiner = _Combiner(required, called)
    names = dict.fromkeys((*required.arguments, *called.arguments))
    unknown = ValueFacts()
    arguments = {
        name: combiner.value(required.arguments.get(name, unknown), called.arguments.get(name, unknown))
        for name in names
    }
    return CallFacts(arguments, combiner.value(required.result, called.result))


class _Combiner:
    def __init__(self, required: CallFacts, called: CallFacts) -> None:
        self._keys: dict[int, int] = {}
        """The key of a size that only the callers show, by its key in the calls."""
        self._related = {size.key for one in required.arguments.values() for size in sizes_in(one)}
        self._given = {size.key for one in called.arguments.values() for size in sizes_in(one)}
        """The sizes of arguments, as the body and as the callers show them."""
        self._runs: dict[int, tuple[SizeFacts, ...]] = {}
        """The dimensions that the callers show in the place of unknown ones."""
        for name, one in required.arguments.items():
            other = called.arguments.get(name)
            for needed, given in _pairs(one, other) if other is not None else ():
                if given.is_symbolic:
                    self._keys.setdefault(given.key, needed.key)
        for name, one in required.arguments.items():
            other = called.arguments.get(name)
            for unknown, known in _shapes(one, other) if other is not None else ():
                self._learn_run(unknown, known)

    def _learn_run(self, needed: ShapeFacts, given: ShapeFacts) -> None:
        if needed.tail is None or given.tail is not None:
            return
        first, last = len(needed.head), len(given.head) - len(needed.tail)
        if first <= last:
            self._runs.setdefault(needed.run, tuple(map(self._size_of_callers, given.head[first:last])))

    def value(self, needed: ValueFacts, given: ValueFacts) -> ValueFacts:
        """The value that the body requires or returns, completed by what the callers show."""
        if needed.kind is Kind.UNKNOWN:
            return self._of_callers(given)
        if given.kind in (Kind.UNKNOWN, Kind.NONE):
            return replace(self._filled(needed), is_optional=needed.is_optional or given.kind is Kind.NONE)
        optional = needed.is_optional or given.is_optional
        if needed.kind is Kind.NONE:
            return replace(self._of_callers(given), is_optional=True)
        if Kind.UNION in (needed.kind, given.kind):
            return self._union(needed, given, optional)
        if needed.form != given.form:
            return ValueFacts(Kind.MIXED)
        items = tuple(self.value(a, b) for a, b in zip(needed.items, given.items, strict=True))
        shape = needed.shape
        if shape is not None and given.shape is not None:
            shape = self._shape(shape, given.shape)
        return replace(needed, is_optional=optional, items=items, shape=shape, dtype=needed.dtype or given.dtype)

    def _union(self, needed: ValueFacts, given: ValueFacts, optional: bool) -> ValueFacts:
        """The members that the body shows, completed by those that the callers show."""
        if any(needed.member_like(one) is None for one in given.members):
            return ValueFacts(Kind.MIXED)
        pairs = ((one, given.member_like(one)) for one in needed.members)
        members = tuple(self._filled(one) if like is None else self.value(one, like) for one, like in pairs)
        return ValueFacts(Kind.UNION, optional, items=members)

    def _filled(self, needed: ValueFacts) -> ValueFacts:
        shape = None if needed.shape is None else self._filled_shape(needed.shape)
        return replace(needed, shape=shape, items=tuple(map(self._filled, needed.items)))

    def _filled_shape(self, needed: ShapeFacts) -> ShapeFacts:
        """A shape with the dimensions that the callers show in the place of the unknown ones of an argument."""
        if needed.tail is None or needed.run not in self._runs:
            return needed
        return ShapeFacts((*needed.head, *self._runs[needed.run], *needed.tail))

    def _shape(self, needed: ShapeFacts, given: ShapeFacts) -> ShapeFacts:
        needed = self._filled_shape(needed)
        if given.tail is not None:
            return needed
        if needed.tail is None:
            if len(needed.head) != len(given.head):
                return join_shapes(needed, self._shape_of_callers(given))
            return ShapeFacts(tuple(map(self._size, needed.head, given.head)))
        count_of_ends = len(needed.head) + len(needed.tail)
        if count_of_ends > len(given.head):
            return needed
        inner = given.head[len(needed.head) : len(given.head) - len(needed.tail)]
        first = map(self._size, needed.head, given.head)
        last = map(self._size, needed.tail, given.head[len(given.head) - len(needed.tail) :])
        return ShapeFacts((*first, *map(self._size_of_callers, inner), *last))

    def _size(self, needed: SizeFacts, given: SizeFacts) -> SizeFacts:
        if needed.is_symbolic and needed.key not in self._related and given.is_symbolic and given.key in self._given:
            needed = replace(needed, key=self._keys.get(given.key, hash((2, given.key))))
        paths = needed.paths or (given.paths if given.is_symbolic else ())
        names = tuple(dict.fromkeys((*needed.names, *given.names)))
        return replace(needed, paths=paths, names=names)

    def _of_callers(self, given: ValueFacts) -> ValueFacts:
        shape = None if given.shape is None else self._shape_of_callers(given.shape)
        return replace(given, shape=shape, items=tuple(map(self._of_callers, given.items)))

    def _shape_of_callers(self, given: ShapeFacts) -> ShapeFacts:
        tail = None if given.tail is None else tuple(map(self._size_of_callers, given.tail))
        run = hash((5, given.run)) if given.tail is not None else 0
        return ShapeFacts(tuple(map(self._size_of_callers, given.head)), tail, run)

    def _size_of_callers(self, given: SizeFacts) -> SizeFacts:
        if not given.is_symbolic:
            return SizeFacts(hash((3, next(_fresh))), is_variable=True)
        key = self._keys.get(given.key, hash((2, given.key)))
        return replace(given, key=key, number=None)


def _pairs(one: ValueFacts, other: ValueFacts) -> Iterator[tuple[SizeFacts, SizeFacts]]:
    """The sizes at the same place in two values."""
    for needed, given in _shapes(one, other):
        tail = needed.tail or ()
        if given.tail is None and len(needed.head) + len(tail) <= len(given.head):
            yield from zip(needed.head, given.head, strict=False)
            yield from zip(reversed(tail), reversed(given.head), strict=False)


def _shapes(one: ValueFacts, other: ValueFacts) -> Iterator[tuple[ShapeFacts, ShapeFacts]]:
    """The shapes at the same place in two values."""
    for member in one.members:
        like = other.member_like(member)
        if like is None:
            continue
        if member.shape is not None and like.shape is not None:
            yield member.shape, like.shape
        for a, b in zip(member.items, like.items, strict=True):
            yield from _shapes(a, b)
