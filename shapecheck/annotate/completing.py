"""Completes what the source shows about a function by what its recorded calls show.

The source is right where it knows a size: a number, an attribute, an expression, or any size. A size that only the
calls show is a number if it is constant, and equal sizes have one key. What the calls contradict is not kept.
"""

from __future__ import annotations

from dataclasses import replace

from shapecheck.annotate.recorded_facts import dimensions
from shapecheck.static.observing.signature_facts import CallFacts, Kind, ShapeFacts, SizeFacts, ValueFacts

_UNKNOWN = ValueFacts()
_MIXED = ValueFacts(Kind.MIXED)


class Completed:
    """The signature, and why the calls contradict the source, by parameter or "return"."""

    def __init__(self, source: CallFacts, body: CallFacts, calls: CallFacts) -> None:
        self.contradicted: dict[str, str] = {}
        self._place = ""
        self._links: dict[int, list[SizeFacts]] = {}
        """By the key in the calls: the sizes of the source that have it."""
        names = dict.fromkeys((*source.arguments, *calls.arguments))
        arguments = {
            name: self._argument(
                name,
                source.arguments.get(name, _UNKNOWN),
                body.arguments.get(name, _UNKNOWN),
                calls.arguments.get(name, _UNKNOWN),
            )
            for name in names
        }
        result = self._argument("return", source.result, body.result, calls.result)
        keys = self._joined_keys()
        self.facts = CallFacts(
            {name: _with_keys(one, keys) for name, one in arguments.items()}, _with_keys(result, keys)
        )

    def _argument(self, place: str, known: ValueFacts, body: ValueFacts, calls: ValueFacts) -> ValueFacts:
        self._place = place
        return self._value(known, body, calls)

    def _contradict(self, why: str) -> None:
        self.contradicted.setdefault(self._place, why)

    def _value(self, known: ValueFacts, body: ValueFacts, calls: ValueFacts) -> ValueFacts:
        if calls.kind is Kind.UNKNOWN or known.kind in (Kind.MIXED, Kind.OTHER):
            return known
        if known.kind is Kind.UNKNOWN:
            return self._linked(calls)
        if Kind.NONE in (known.kind, calls.kind):
            rest = known if calls.kind is Kind.NONE else self._linked(calls)
            return rest if rest.kind is Kind.NONE else replace(rest, is_optional=True)
        optional = known.is_optional or calls.is_optional
        if Kind.UNION in (known.kind, calls.kind) and not self._lacks(known, calls):
            return replace(known, is_optional=optional, items=self._members(known, body, calls))
        if known.form != calls.form:
            self._contradict(f"expected {_kind_text(known)}, recorded {_kind_text(calls)}")
            return _MIXED
        bodies = body.items if len(body.items) == len(known.items) else (_UNKNOWN,) * len(known.items)
        items = tuple(map(self._value, known.items, bodies, calls.items))
        shape = known.shape
        if shape is not None and calls.shape is not None:
            shape = self._shape(shape, body.shape, calls.shape)
        dtype = known.dtype or calls.dtype
        if known.dtype is not None and calls.dtype is not None and known.dtype != calls.dtype:
            self._contradict(f"expected dtype {known.dtype}, recorded {calls.dtype}")
        return replace(known, is_optional=optional, items=items, shape=shape, dtype=dtype)

    @staticmethod
    def _lacks(known: ValueFacts, calls: ValueFacts) -> bool:
        """Whether the calls show a kind of value that the source does not show."""
        return any(known.member_like(one) is None for one in calls.members)

    def _members(self, known: ValueFacts, body: ValueFacts, calls: ValueFacts) -> tuple[ValueFacts, ...]:
        """The members of a union; the calls need not show all of them."""
        return tuple(
            self._value(one, body.member_like(one) or _UNKNOWN, calls.member_like(one) or _UNKNOWN)
            for one in known.members
        )

    def _shape(self, known: ShapeFacts, body: ShapeFacts | None, calls: ShapeFacts) -> ShapeFacts:
        if calls.tail is not None:
            if known.tail is None:
                self._contradict(f"expected {dimensions(len(known.head))}, recorded several numbers of dimensions")
            return (
                replace(calls, tail=tuple(self._link(one, one) for one in calls.tail)) if known.says_nothing else known
            )
        rank, head, tail = len(calls.head), known.head, known.tail or ()
        if (known.tail is None and rank != len(head)) or rank < len(head) + len(tail):
            least = "" if known.tail is None else "at least "
            self._contradict(f"expected {least}{dimensions(len(head) + len(tail))}, recorded {rank}")
            return known
        middle: tuple[SizeFacts | None, ...] = (None,) * (rank - len(head) - len(tail))
        free = _free_in_body(body, rank)
        sizes = (*head, *middle, *tail)
        return ShapeFacts(tuple(map(self._size, sizes, free, calls.head)))

    def _size(self, known: SizeFacts | None, is_free: bool, calls: SizeFacts) -> SizeFacts:
        if known is None:
            return self._link(calls, calls)
        if known.number is not None:
            if calls.number != known.number:
                got = "several sizes" if calls.number is None else str(calls.number)
                self._contradict(f"expected size {known.number}, recorded {got}")
            return known
        if known.paths or (known.expression is not None and not known.is_variable):
            return known
        if calls.number is None:
            return self._link(known, calls)
        return known if is_free else replace(known, number=calls.number, why=calls.why)

    def _link(self, size: SizeFacts, calls: SizeFacts) -> SizeFacts:
        if calls.number is None:
            self._links.setdefault(calls.key, []).append(size)
            return replace(size, why=calls.why)
        return size

    def _linked(self, calls: ValueFacts) -> ValueFacts:
        """A value that only the calls show."""
        shape = calls.shape
        if shape is not None:
            tail = None if shape.tail is None else tuple(self._link(one, one) for one in shape.tail)
            shape = ShapeFacts(tuple(self._link(one, one) for one in shape.head), tail)
        return replace(calls, shape=shape, items=tuple(map(self._linked, calls.items)))

    def _joined_keys(self) -> dict[int, int]:
        """The new key of sizes that are equal in all calls, unless the source gives them different names."""
        found: dict[int, int] = {}
        for sizes in self._links.values():
            groups: list[tuple[int, set[str]]] = []
            for size in sizes:
                key = found.get(size.key, size.key)
                names = set(size.names)
                group = next((one for one in groups if not (one[1] and names and one[1].isdisjoint(names))), None)
                if group is None:
                    groups.append((key, names))
                else:
                    group[1].update(names)
                    found[size.key] = group[0]
        return found


def _free_in_body(body: ShapeFacts | None, rank: int) -> list[bool]:
    """Whether the body of the function accepts any size, for each dimension."""
    if body is None or (body.tail is None and len(body.head) != rank):
        return [False] * rank
    tail = body.tail or ()
    middle = [False] * (rank - len(body.head) - len(tail))
    return [*(one.is_variable for one in body.head), *middle, *(one.is_variable for one in tail)][:rank]


def _kind_text(value: ValueFacts) -> str:
    if value.kind is Kind.UNION:
        return " or ".join(map(_kind_text, value.members))
    return {Kind.OTHER: "other values", Kind.MIXED: "several kinds of values"}.get(value.kind, f"a {value.kind.value}")


def _with_keys(value: ValueFacts, keys: dict[int, int]) -> ValueFacts:
    def changed(size: SizeFacts) -> SizeFacts:
        return replace(size, key=keys[size.key]) if size.key in keys else size

    shape = value.shape
    if shape is not None:
        tail = None if shape.tail is None else tuple(map(changed, shape.tail))
        shape = ShapeFacts(tuple(map(changed, shape.head)), tail)
    return replace(value, shape=shape, items=tuple(_with_keys(one, keys) for one in value.items))
