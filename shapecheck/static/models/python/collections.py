"""`collections.namedtuple` and `deque`, and what is drawn from a list at random."""

from __future__ import annotations

import keyword
from collections import namedtuple
from collections.abc import Callable
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Slot
from shapecheck.static.domain.join import join
from shapecheck.static.domain.values import ITEMS, ListValue, NamedTupleClass, Value
from shapecheck.static.engine.iteration import MOST_ITEMS, items_of

_LENGTH = Slot("maxlen")
"""The field of a deque that holds how many items it keeps."""


def _named_tuple(typename: Value, field_names: Value, *, defaults: Value = (), rename: Value = False) -> Value:
    """The class that `collections.namedtuple` makes."""
    names = field_names.replace(",", " ").split() if isinstance(field_names, str) else items_of(field_names)
    given = items_of(defaults)
    if not names or given is None or rename is not False or not all(map(_is_name, names)):
        return Unknown("a named tuple with unknown fields")
    return NamedTupleClass(namedtuple(str(typename) if _is_name(typename) else "Record", names, defaults=given))


def _is_name(value: Value) -> bool:
    return isinstance(value, str) and value.isidentifier() and not keyword.iskeyword(value) and value[0] != "_"


def make_namedtuple(record: NamedTupleClass, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """What a call of such a class gives."""
    try:
        return record.make(*args, **kwargs)
    except TypeError:
        return Unknown("the arguments do not fit")


def _deque(iterable: Value = (), maxlen: Value = None) -> Value:
    """A list that keeps its last `maxlen` items."""
    items = items_of(iterable)
    if items is None or not (maxlen is None or type(maxlen) is int):
        return Unknown("an unknown deque")
    made = ListValue()
    if maxlen is not None:
        made.fields[_LENGTH] = maxlen
    made.fields[ITEMS] = newest(made, tuple(items))
    return made


def newest(of: ListValue, items: tuple[Value, ...]) -> tuple[Value, ...]:
    """The items that a list keeps: all of them, but for a deque of limited length."""
    most = of.fields.get(_LENGTH)
    return items if most is None else items[max(len(items) - most, 0) :]


def _sampled(population: Value, k: Value) -> Value:
    """random.sample: `k` items, of which nobody knows which."""
    items = items_of(population)
    if not items or type(k) is not int or not 0 < k <= min(len(items), MOST_ITEMS):
        return Unknown("an unknown sample")
    return ListValue((reduce(join, items),) * k)


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "collections.deque": _deque,
    "collections.namedtuple": _named_tuple,
    "random.sample": _sampled,
}
