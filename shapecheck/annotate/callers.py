"""What the calls of the project show about the arguments of each function.

Only what all calls show counts: a call with an unknown argument shows that it may be anything. A place of a call is
seen when its function is analyzed in isolation, and when others call this function. The calls by others are more
precise if all of them are known. Else what holds in isolation holds for them, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial, reduce

from shapecheck.annotate.model import FunctionKey
from shapecheck.static.engine.optional_arguments import Optionals
from shapecheck.static.observing.call_observer import BUILT, CallPlace, ObservedCalls
from shapecheck.static.observing.joining_facts import join_calls
from shapecheck.static.observing.signature_facts import UNKNOWN, CallFacts, Kind, ShapeFacts, ValueFacts

_MOST_ROUNDS = 10
_PRESENT, _UNKNOWN = Optionals.PRESENT.name, Optionals.UNKNOWN.name
_join = partial(join_calls, strict=True)


def join_callers(found: Mapping[FunctionKey, ObservedCalls]) -> None:
    """Sets what all calls of each function show."""
    called = {_entry(key) for key, one in found.items() if any(place.where != BUILT for place in one.calls)}
    for one in found.values():
        for place in [place for place in one.calls if place.where == BUILT and place.entry in called]:
            del one.calls[place]  # what calls its entry point builds the same objects, from known arguments
    known = _Known({_entry(key) for key, one in found.items() if one.required and _has_known_arguments(one.required)})
    for _ in range(_MOST_ROUNDS):
        more = {
            entry
            for key, one in found.items()
            if (entry := _entry(key)) not in known.by_callers and known.knows(one, entry)
        }
        if not more:
            break
        known.by_callers |= more
    for one in found.values():
        joined = known.called(one.calls)
        one.called = None if joined is None else _with_names(joined, one.calls.values())


def _entry(key: FunctionKey) -> str:
    return f"{key.path}:{key.line}"


def _is_known(called: CallFacts, required: CallFacts | None) -> bool:
    """Whether the callers show all arguments that may be tensors, and no shape less precisely than the body."""
    needed = {} if required is None else required.arguments
    rest = {name: one for name, one in called.arguments.items() if needed.get(name, UNKNOWN).kind is not Kind.OTHER}
    return _has_known_arguments(CallFacts(rest)) and not any(
        _is_open(one) and name in needed and not _is_open(needed[name]) for name, one in rest.items()
    )


def _is_open(value: ValueFacts) -> bool:
    return value.shape is not None and value.shape.tail is not None


def _has_known_arguments(facts: CallFacts) -> bool:
    return not any(value.has_unknown for value in facts.arguments.values())


@dataclass
class _Known:
    """The functions whose arguments are known."""

    by_body: set[str]
    by_callers: set[str] = field(default_factory=set)

    def knows(self, one: ObservedCalls, entry: str) -> bool:
        """Whether the calls of a function by others have only known arguments."""
        joined = self.called({place: facts for place, facts in one.calls.items() if place.callers[-1:] != (entry,)})
        return joined is not None and _is_known(joined, one.required)

    def called(self, calls: Mapping[CallPlace, CallFacts]) -> CallFacts | None:
        """What all places show."""
        by_place: dict[str, dict[CallPlace, CallFacts]] = {}
        for place, facts in calls.items():
            by_place.setdefault(place.entry if place.where == BUILT else place.where, {})[place] = facts
        kept = [facts for several in by_place.values() for facts in self._that_count(several)]
        return reduce(_join, kept) if kept else None

    def _that_count(self, calls: Mapping[CallPlace, CallFacts]) -> list[CallFacts]:
        """The observations of one place that count."""
        given = {place.entry for place in calls if place.options == _PRESENT}
        open_ones = {place for place in calls if place.options == _UNKNOWN and place.entry in given}
        rest = {place: facts for place, facts in calls.items() if place not in open_ones}
        return [facts for place, facts in rest.items() if self._counts(place)] or list(rest.values())

    def _counts(self, place: CallPlace) -> bool:
        inner = (one for one in place.callers if one != place.entry)
        is_general = any(one in self.by_body and one not in self.by_callers for one in inner)
        return place.entry not in self.by_callers and not is_general


def _with_names(called: CallFacts, calls: Iterable[CallFacts]) -> CallFacts:
    """With the names that any call gives to the sizes of arguments, also one that does not count."""
    arguments = dict(called.arguments)
    for other in calls:
        for name, value in other.arguments.items():
            if name in arguments:
                arguments[name] = _value_with_names(arguments[name], value)
    return CallFacts(arguments, called.result)


def _value_with_names(value: ValueFacts, other: ValueFacts) -> ValueFacts:
    one, two = value.shape, other.shape
    if one is None or two is None or one.tail is not None or two.tail is not None or len(one.head) != len(two.head):
        return value
    pairs = zip(one.head, two.head, strict=True)
    sizes = tuple(replace(a, names=tuple(dict.fromkeys((*a.names, *b.names)))) for a, b in pairs)
    return replace(value, shape=ShapeFacts(sizes))
