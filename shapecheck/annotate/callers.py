"""What the calls of the project show about the arguments of each function.

Only what all calls show counts: a call with an unknown argument shows that it may be anything. A function that was
analyzed in isolation passes on arguments that are unknown for this reason alone. So if its own calls are known, only
these count, and not what it passed in isolation.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from functools import partial, reduce

from shapecheck.annotate.model import FunctionKey
from shapecheck.static.observing.call_observer import ObservedCalls
from shapecheck.static.observing.signature_facts import CallFacts, ShapeFacts, ValueFacts, join_calls

_MOST_ROUNDS = 10
_join = partial(join_calls, strict=True)


def join_callers(found: Mapping[FunctionKey, ObservedCalls]) -> None:
    """Sets what all calls of each function show."""
    known: set[str] = set()
    for _ in range(_MOST_ROUNDS):
        more = {entry for key, one in found.items() if (entry := _entry(key)) not in known and _knows(one, entry, known)}
        if not more:
            break
        known |= more
    for key, one in found.items():
        called = _called(one, known - {_entry(key)})
        one.called = None if called is None else _with_names(called, one.calls.values())


def _entry(key: FunctionKey) -> str:
    return f"{key.path}:{key.line}"


def _knows(one: ObservedCalls, entry: str, known: Container[str]) -> bool:
    """Whether the calls of a function by others have only known arguments."""
    calls = [facts for (other, _), facts in one.calls.items() if other not in known and other != entry]
    joined = reduce(_join, calls) if calls else None
    return joined is not None and not any(value.has_unknown for value in joined.arguments.values())


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
    sizes = (replace(a, names=tuple(dict.fromkeys((*a.names, *b.names)))) for a, b in zip(one.head, two.head, strict=True))
    return replace(value, shape=ShapeFacts(tuple(sizes)))


def _called(one: ObservedCalls, known: Container[str]) -> CallFacts | None:
    calls = [facts for (entry, _), facts in one.calls.items() if entry not in known]
    return reduce(_join, calls) if calls else None
