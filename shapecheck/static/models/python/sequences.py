"""Builtins that create sequences, and `len`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import OpenShape
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.objects import DictValue, ListValue, ModuleContainer, SetValue
from shapecheck.static.domain.summary_collections import is_summary, summary_list
from shapecheck.static.domain.values import DataLoader, DatasetPart, SummarySequence, TensorDataset
from shapecheck.static.engine.iteration import LONGEST, has_items, items_in, items_of, some_item
from shapecheck.static.engine.run import Run
from shapecheck.static.models.datasets import length_of
from shapecheck.static.models.python.special_methods import call_special
from shapecheck.static.models.python.summary_collections import series_of
from shapecheck.static.models.python.type_guards import are_integers


def _len(value: Value) -> Value:
    if isinstance(value, ArraySpec):
        value = value.spec
    if isinstance(value, TensorSpec):
        return value.dims[0] if value.rank else Unknown("an unknown length")
    if isinstance(value, ModuleContainer):
        return Unknown("an unknown length") if value.lost else len(value.items)
    if isinstance(value, SummarySequence) or is_summary(value):
        return unknown("len", low=0)
    if isinstance(value, (DictValue, ListValue, SetValue)):
        items = items_of(value)
        return Unknown("an unknown length") if items is None else len(items)
    if isinstance(value, OpenShape):
        return OpenShape(value.spec)
    return len(value) if isinstance(value, (tuple, str, range)) else Unknown("an unknown length")


def _length(run: Run, node: ast.AST, value: Value) -> Value:
    if isinstance(value, (DatasetPart, TensorDataset)):
        return length_of(run, node, value)
    found = call_special(run, node, value, "__len__")
    return _len(items_in(value) or value) if found is None else found


def _range(*args: Value) -> Value:
    if not are_integers(args):
        first = _least_of_range(*args)
        return Unknown("an unknown range") if first is None else SummarySequence(unknown("index", low=first))
    found = range(*args)
    return found if -LONGEST < found.start < LONGEST and -LONGEST < found.stop < LONGEST else Unknown("a long range")


def _least_of_range(start: Value, stop: Value = None, step: Value = 1) -> int | None:
    """The least number of a range that counts up and whose end may be unknown; None if it may be negative."""
    if stop is None:
        return 0
    counts_up = isinstance(start, int) and isinstance(step, int) and step > 0
    return start if counts_up and isinstance(start, int) and start >= 0 else None


def _zip(*iterables: Value, strict: Value = False) -> Value:
    if any(isinstance(one, DataLoader) for one in iterables):
        return _beside_batches(iterables)
    columns = [items_of(one) for one in iterables]
    if any(column is None for column in columns):
        return series_of(tuple(map(some_item, iterables)), iterables)
    return ListValue(tuple(zip(*(column or [] for column in columns), strict=False)))


def _beside_batches(iterables: tuple[Value, ...]) -> Value:
    """Each batch of a loader with any item of the others: several batches are equal, and are there once."""
    longest = max(len(one.batches) for one in iterables if isinstance(one, DataLoader))
    return ListValue(tuple(tuple(_at(one, index) for one in iterables) for index in range(longest)))


def _at(iterable: Value, index: int) -> Value:
    if isinstance(iterable, DataLoader) and iterable.batches:
        return iterable.batches[min(index, len(iterable.batches) - 1)]
    return some_item(iterable)


def _enumerate(iterable: Value, start: Value = 0) -> Value:
    if isinstance(iterable, DataLoader):
        return ListValue(tuple((unknown("index", low=0), one) for one in iterable.batches))
    items = items_of(iterable)
    if items is None:
        return SummarySequence((unknown("index", low=_least_index(start)), some_item(iterable)))
    if not isinstance(start, int):
        return Unknown("unsupported arguments of builtins.enumerate")
    return ListValue(tuple(enumerate(items, start)))


def _least_index(start: Value) -> int | None:
    """The least number of an item that `enumerate` counts; None if nothing is known about the first one."""
    return start if type(start) is int else None


def _sequence(
    make: Callable[[list[Value]], Value], summarize: Callable[[Value], Value] = SummarySequence
) -> Callable[..., Value]:
    """A model of a constructor: `make` takes the items, `summarize` the summary element where they are unknown."""

    def sequence(iterable: Value = ()) -> Value:
        items = items_of(iterable)
        if isinstance(iterable, OpenShape):
            return iterable
        if items is None:
            return summarize(some_item(iterable)) if has_items(iterable) else Unknown("an unknown iterable")
        return make(items)

    return sequence


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "builtins.range": _range,
    "builtins.slice": slice,
    "builtins.zip": _zip,
    "builtins.enumerate": _enumerate,
    "builtins.list": _sequence(lambda items: ListValue(tuple(items)), summary_list),
    "builtins.tuple": _sequence(tuple),
    "builtins.reversed": _sequence(lambda items: ListValue(tuple(reversed(items)))),
    "builtins.iter": _sequence(lambda items: ListValue(tuple(items))),
    "torch.Size": _sequence(tuple),
}
ASKING: dict[str, Callable[..., Value]] = {"builtins.len": _length}
