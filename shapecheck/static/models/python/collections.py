"""`collections.namedtuple`, `collections.deque` and `random.sample`, and lists of the names of files."""

from __future__ import annotations

import keyword
from collections import namedtuple
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeGuard

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Slot, Value
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import ITEMS, ListValue
from shapecheck.static.domain.summary_collections import summary_list
from shapecheck.static.domain.values import NamedTupleClass
from shapecheck.static.engine.iteration import MOST_ITEMS, items_of

_LENGTH = Slot("maxlen")
"""The field of a deque that holds its maximum length."""


def _namedtuple(typename: Value, field_names: Value, *, defaults: Value = (), rename: Value = False) -> Value:
    """The class that `collections.namedtuple` creates."""
    names = _split(field_names) if isinstance(field_names, str) else items_of(field_names)
    values = items_of(defaults)
    if not names or values is None or rename is not False or not _are_names(names):
        return Unknown("a named tuple with unknown fields")
    return NamedTupleClass(namedtuple(str(typename) if _is_name(typename) else "Record", names, defaults=values))


def _split(names: str) -> Sequence[Value]:
    return names.replace(",", " ").split()


def _are_names(values: Sequence[Value]) -> TypeGuard[Sequence[str]]:
    return all(map(_is_name, values))


def _is_name(value: Value) -> bool:
    """Whether a value is a valid name of a field."""
    return isinstance(value, str) and value.isidentifier() and not keyword.iskeyword(value) and value[0] != "_"


def make_namedtuple(record: NamedTupleClass, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The named tuple that a call of its class returns."""
    make: Callable[..., Value] = record.make
    try:
        return make(*args, **kwargs)
    except TypeError:
        return Unknown("arguments that do not match the parameters")


def _deque(iterable: Value = (), maxlen: Value = None) -> Value:
    """A deque, as a list that keeps its last `maxlen` items."""
    items = items_of(iterable)
    if items is None or not (maxlen is None or type(maxlen) is int):
        return Unknown("an unknown deque")
    made = ListValue()
    if maxlen is not None:
        made.fields[_LENGTH] = maxlen
    made.fields[ITEMS] = newest(made, tuple(items))
    return made


def newest(of: ListValue, items: tuple[Value, ...]) -> tuple[Value, ...]:
    """The items that a list keeps: all of them, or the last ones of a deque with a maximum length."""
    most = of.fields.get(_LENGTH)
    return items[max(len(items) - most, 0) :] if type(most) is int else items


def oldest(of: ListValue, items: tuple[Value, ...]) -> tuple[Value, ...]:
    """The items that a list keeps if items were added at the left: the first ones of a deque with a maximum length."""
    most = of.fields.get(_LENGTH)
    return items[:most] if type(most) is int else items


def _sample(population: Value, k: Value) -> Value:
    """The result of `random.sample`: `k` items, each of which may be any item of the population."""
    items = items_of(population)
    if not items or type(k) is not int or not 0 < k <= min(len(items), MOST_ITEMS):
        return Unknown("an unknown sample")
    return ListValue((reduce(join, items),) * k)


def _file_names(*_: Value, **__: Value) -> Value:
    """The files that a program finds."""
    return summary_list(Unknown("the name of a file"))


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "collections.deque": _deque,
    "collections.namedtuple": _namedtuple,
    "random.sample": _sample,
    "glob.glob": _file_names,
    "os.listdir": _file_names,
}
