"""The items of iterables."""

from __future__ import annotations

import ast
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Slot, Value
from shapecheck.static.domain.alternatives import Alternatives, MaybeAbsent, members_of, without_none
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.enums import is_enum, members
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import (
    ClassValue,
    Collection,
    DictValue,
    Instance,
    ListValue,
    ModuleContainer,
    SetValue,
)
from shapecheck.static.domain.summary_collections import (
    any_of,
    element_in_state,
    fresh_element,
    is_summary,
    merged_element,
    sequence_element,
)
from shapecheck.static.domain.values import DataLoader, SummarySequence

_NAMED_TUPLES = frozenset(("typing.NamedTuple", "typing_extensions.NamedTuple"))
MOST_ITEMS = 256
LONGEST = 1 << 40
"""The largest number that a range is kept with as a range."""
_MOST_ROWS = 16
"""The largest first axis of a tensor that is iterated row by row."""
OWN_DICT = Slot("the dict that it is")
"""The field of an instance of a dict subclass that holds its items."""


def items_in(value: Value) -> DictValue | None:
    """The dict with the items of an instance of a dict subclass; None for any other value."""
    found = value.fields.get(OWN_DICT) if isinstance(value, Instance) else None
    return found if isinstance(found, DictValue) else None


def items_of(value: Value) -> list[Value] | None:
    """The items in order; None if they are unknown or too many."""
    if isinstance(value, Alternatives):
        return _items_of_each(value)
    if isinstance(value, (tuple, list, range, str)):
        return list(value) if len(value) <= MOST_ITEMS else None
    if isinstance(value, Collection):
        found = _of_collection(value)
    elif isinstance(value, DataLoader):
        found = list(value.batches)
    elif isinstance(value, (Instance, ClassValue)):
        found = _of_object(value)
    else:
        found = _rows(value)
    return found if found is not None and len(found) <= MOST_ITEMS else None


def _of_collection(value: Collection) -> list[Value] | None:
    if _has_unknown_items(value):
        return None
    if isinstance(value, ModuleContainer) and not value.kind.endswith("Dict"):
        return list(value.items.values())
    return list(value.items) if isinstance(value, (ListValue, DictValue, SetValue, ModuleContainer)) else None


def _rows(value: Value) -> list[Value] | None:
    """The rows of a tensor or an array; None if unknown or too many."""
    if isinstance(value, ArraySpec):
        rows = _rows(value.spec)
        return None if rows is None else [ArraySpec(one) for one in rows if isinstance(one, TensorSpec)]
    if not isinstance(value, TensorSpec) or not value.rank:
        return None
    length = value.dims[0]
    if not isinstance(length, int) or length > _MOST_ROWS:
        return None
    return [value.with_shape(value.shape.without(0))] * length


def _of_object(value: Instance | ClassValue) -> list[Value] | None:
    """The keys of an instance of a dict subclass, the fields of a NamedTuple, or the members of an enumeration."""
    if isinstance(value, ClassValue):
        return [*members(value)] if is_enum(value) else None
    items = items_in(value)
    return named_items(value) if items is None else items_of(items)


def _has_unknown_items(value: Collection) -> bool:
    if isinstance(value, DictValue) and MaybeAbsent in map(type, value.items.values()):
        return True
    return value.lost


def named_items(value: Instance) -> list[Value] | None:
    """The fields of a NamedTuple in order; None for any other object."""
    if value.cls.outside().isdisjoint(_NAMED_TUPLES):
        return None
    body = (statement for one in reversed(value.cls.mro()) for statement in one.node.body)
    names = (one.target.id for one in body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name))
    return [value.fields.get(name, Unknown(f"field {name}")) for name in names]


def some_item(value: Value) -> Value:
    """An element that summarizes all items of an iterable."""
    if isinstance(value, SummarySequence) and not value.mapping:
        return sequence_element(value)
    if isinstance(value, (ListValue, ModuleContainer)) and is_summary(value):
        return fresh_element(element_in_state(value.fields))
    if isinstance(value, TensorSpec) and value.rank:
        return value.with_shape(value.shape.without(0))
    if isinstance(value, Alternatives):
        return reduce(merged_element, map(some_item, members_of(without_none(value))))
    items = items_of(value)
    return any_of(items) if items else Unknown("an item of an unknown iterable")


def has_items(value: Value) -> bool:
    """Whether anything is known about its items."""
    return not isinstance(some_item(value), Unknown) or (
        isinstance(value, (ListValue, ModuleContainer)) and is_summary(value)
    )


def _items_of_each(value: Alternatives) -> list[Value] | None:
    """The joined items if all alternatives have the same number; else None."""
    columns = [items_of(one) for one in members_of(without_none(value))]
    first, *others = columns
    if first is None or any(one is None or len(one) != len(first) for one in others):
        return None
    return [reduce(join, items) for items in zip(*(one or () for one in columns), strict=True)]
