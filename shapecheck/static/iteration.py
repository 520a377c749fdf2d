"""The items of what can be iterated over."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.values import Collection, Container, DictValue, ListValue, Loader, Series, Value

MOST_ITEMS = 256
LONGEST = 100_000
"""How long a range may be to be kept as one."""


def items_of(value: Value) -> list[Value] | None:
    """The items in order, None where they are not known or too many."""
    found: list[Value] | None = None
    if isinstance(value, Collection) and value.lost:
        return None
    if isinstance(value, (tuple, list, range)):
        found = list(value) if len(value) <= MOST_ITEMS else None
    elif isinstance(value, (ListValue, DictValue)):
        found = list(value.items)
    elif isinstance(value, Container):
        found = list(value.items) if value.kind == "ModuleDict" else list(value.items.values())
    elif isinstance(value, Loader):
        found = list(value.batches)
    elif isinstance(value, str):
        found = list(value)
    elif isinstance(value, TensorSpec) and value.rank:
        length = value.dims[0]
        if isinstance(length, int) and length <= 16:
            found = [value.with_shape(value.shape.without(0))] * length
    return found if found is not None and len(found) <= MOST_ITEMS else None


def some_item(value: Value) -> Value:
    """One of the items of what cannot be gone through one by one."""
    return value.item if isinstance(value, Series) and not value.mapping else Unknown("an item of an unknown iterable")
