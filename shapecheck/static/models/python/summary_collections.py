"""Lists and dicts of unknown length: what their methods give and change."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.static.domain.summary_collections import (
    element_at,
    element_in_state,
    fresh_element,
    is_summary,
    state_with,
    summary_dict,
    summary_list,
)
from shapecheck.static.domain.values import DictValue, ListValue, SummarySequence, Value
from shapecheck.static.engine.iteration import has_items, items_of, some_item
from shapecheck.static.engine.run import Run

_READING = frozenset("index count __contains__ __len__ __getitem__".split())
_ORDERING = frozenset("reverse sort".split())


def put_any(run: Run, receiver: ListValue | DictValue, key: Value, value: Value) -> None:
    """`receiver[key] = value`, where it is not known which item that is."""
    if isinstance(receiver, ListValue) and isinstance(key, slice):
        run.journal.lose(receiver)
        return
    known_key = isinstance(receiver, DictValue) and isinstance(key, (str, int))
    _become(run, receiver, state_with(receiver.fields, value, key, known_key=known_key))


def of_open(run: Run, receiver: ListValue | DictValue, name: str, args: tuple[Value, ...]) -> Value:
    """What a method gives, and what it changes."""
    rule = _of_dict if isinstance(receiver, DictValue) else _of_list
    return rule(run, receiver, name, args)


def _of_list(run: Run, receiver: ListValue | DictValue, name: str, args: tuple[Value, ...]) -> Value:
    if name in ("append", "insert") and args:
        _become(run, receiver, state_with(receiver.fields, args[-1]))
        return None
    if name == "extend" and len(args) == 1 and has_items(args[0]):
        _become(run, receiver, state_with(receiver.fields, some_item(args[0])))
        return None
    if name == "extend" and len(args) == 1 and items_of(args[0]) == []:
        return None
    if name == "pop":
        return fresh_element(element_in_state(receiver.fields))
    if name == "copy":
        return summary_list(element_in_state(receiver.fields))
    if name in _ORDERING:
        return None
    return _other(run, receiver, name)


def _of_dict(run: Run, receiver: ListValue | DictValue, name: str, args: tuple[Value, ...]) -> Value:
    each = element_in_state(receiver.fields)
    if name == "items":
        return SummarySequence((Unknown("some key"), each))
    if name == "values":
        return SummarySequence(each)
    if name == "copy":
        return summary_dict(each)
    if name == "pop" and len(args) == 1:
        return element_at(receiver, args[0])
    if name == "update" and len(args) == 1 and isinstance(args[0], DictValue):
        more = args[0]
        if is_summary(more) or not more.lost:
            for key, value in more.items.items():
                put_any(run, receiver, key, value)
            if is_summary(more):
                put_any(run, receiver, Unknown("some key"), element_in_state(more.fields))
            return None
    return _other(run, receiver, name)


def _other(run: Run, receiver: ListValue | DictValue, name: str) -> Value:
    if name not in _READING and name not in ("get", "keys"):
        run.journal.lose(receiver)
    return Unknown(f"{name} of a collection of unknown length")


def _become(run: Run, receiver: ListValue | DictValue, state: dict[str, Value]) -> None:
    for field, value in state.items():
        run.journal.write(receiver, field, value)


def series_of(item: tuple[Value, ...], iterables: tuple[Value, ...]) -> Value:
    """An iterator over such items, if anything is known of one of these iterables."""
    return SummarySequence(item) if any(map(has_items, iterables)) else Unknown("an unknown iterable")
