"""Methods of lists and dicts of unknown length."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import DictValue, ListValue
from shapecheck.static.domain.summary_collections import (
    element_at,
    element_in_state,
    fresh_element,
    is_summary,
    state_with,
    summary_dict,
    summary_list,
)
from shapecheck.static.domain.values import SummarySequence
from shapecheck.static.engine.iteration import has_items, items_of, some_item
from shapecheck.static.engine.run import Run

_READERS = frozenset("index count __contains__ __len__ __getitem__".split())
_EXTENDING = frozenset(("extend", "extendleft"))
_REORDERING = frozenset("reverse rotate sort".split())


def put_any(run: Run, receiver: ListValue | DictValue, key: Value, value: Value) -> None:
    """Evaluates `receiver[key] = value` for a collection whose items are not all known."""
    if isinstance(receiver, ListValue) and isinstance(key, slice):
        run.journal.lose(receiver)
        return
    known_key = isinstance(receiver, DictValue) and isinstance(key, (str, int))
    add_element(run, receiver, value, key, known_key=known_key)


def of_open(run: Run, receiver: ListValue | DictValue, name: str, args: tuple[Value, ...]) -> Value:
    """The result of a method of a list or dict of unknown length, which may change the collection."""
    rule = _of_dict if isinstance(receiver, DictValue) else _of_list
    return rule(run, receiver, name, args)


def _of_list(run: Run, receiver: ListValue | DictValue, name: str, args: tuple[Value, ...]) -> Value:
    if name in ("append", "appendleft", "insert") and args:
        add_element(run, receiver, args[-1])
        return None
    if name in _EXTENDING and len(args) == 1 and has_items(args[0]):
        add_element(run, receiver, some_item(args[0]))
        return None
    if name in _EXTENDING and len(args) == 1 and items_of(args[0]) == []:
        return None
    if name in ("pop", "popleft"):
        return fresh_element(element_in_state(receiver.fields))
    if name == "copy":
        return summary_list(element_in_state(receiver.fields))
    if name in _REORDERING:
        return None
    return _other(run, receiver, name)


def _of_dict(run: Run, receiver: ListValue | DictValue, name: str, args: tuple[Value, ...]) -> Value:
    element = element_in_state(receiver.fields)
    if name == "items":
        return SummarySequence((Unknown("an unknown key"), element))
    if name == "values":
        return SummarySequence(element)
    if name == "copy":
        return summary_dict(element)
    if name == "pop" and len(args) == 1:
        return element_at(receiver, args[0])
    if name == "update" and len(args) == 1 and isinstance(args[0], DictValue):
        more = args[0]
        if is_summary(more) or not more.lost:
            for key, value in more.items.items():
                put_any(run, receiver, key, value)
            if is_summary(more):
                put_any(run, receiver, Unknown("an unknown key"), element_in_state(more.fields))
            return None
    return _other(run, receiver, name)


def _other(run: Run, receiver: ListValue | DictValue, name: str) -> Value:
    if name not in _READERS and name not in ("get", "keys"):
        run.journal.lose(receiver)
    return Unknown(f"{name}() of a collection of unknown length")


def add_element(
    run: Run, receiver: ListValue | DictValue, value: Value, key: Value = None, *, known_key: bool = False
) -> None:
    """Turns a collection into one of unknown length that also holds this value: at a known key, or at any place."""
    for field, state in state_with(receiver.fields, value, key, known_key=known_key).items():
        run.journal.write(receiver, field, state)


def series_of(item: tuple[Value, ...], iterables: tuple[Value, ...]) -> Value:
    """An iterator with this summary element; unknown unless something is known about one of the iterables."""
    return SummarySequence(item) if any(map(has_items, iterables)) else Unknown("an unknown iterable")
