"""Stand-ins: a collection that was read under an unknown key, or from a summary, and may be any of several others.

A stand-in is read like any collection. If it changes, so may each of those that it
represents: the journal makes their items unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ITEMS, STANDS_FOR, SUMMARY, Collection, DictValue, ListValue, SetValue

MUTABLE = (ListValue, DictValue, SetValue)
_DEEPEST = 3


def stand_in(value: Value, depth: int = _DEEPEST) -> Value:
    """A stand-in for each collection in a summary element; any other value itself."""
    if type(value) is tuple:
        parts = tuple([stand_in(one, depth) for one in value])
        return value if all(one is other for one, other in zip(parts, value, strict=True)) else parts
    if not isinstance(value, MUTABLE) or not depth:
        return value
    made = value.bare()
    made.fields = dict(value.fields)
    items = value.fields[ITEMS]
    if isinstance(items, dict):
        made.fields[ITEMS] = {key: stand_in(one, depth - 1) for key, one in items.items()}
    else:
        made.fields[ITEMS] = stand_in(items, depth - 1)
    if SUMMARY in value.fields:
        made.fields[SUMMARY] = stand_in(value.fields[SUMMARY], depth - 1)
    made.fields[STANDS_FOR] = (value,)
    return made


def stand_in_of(candidates: Sequence[Value], merge: Callable[[Value, Value], Value]) -> Value | None:
    """A stand-in for one of these values; None if they are not collections of one kind."""
    kinds = set(map(type, candidates))
    if len(kinds) != 1 or not isinstance(candidates[0], MUTABLE):
        return None
    if len(candidates) == 1:
        return candidates[0]
    made = stand_in(reduce(merge, candidates))
    if not isinstance(made, Collection) or (made.lost and SUMMARY not in made.fields):
        return None
    made.fields[STANDS_FOR] = tuple(candidates)
    return made
