"""Data sets and data loaders: the batches that a loader yields, including a smaller last one."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.spec import Size, TensorSpec, unknown
from shapecheck.spec.dtype import float64, int64
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import DictValue, ListValue
from shapecheck.static.domain.values import DataLoader, DatasetPart, SummarySequence, TensorDataset
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import MOST_ITEMS, items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.models.datasets import length_of, method_result
from shapecheck.static.models.python.special_methods import iterated, special


def _tensor_dataset(*tensors: Value) -> Value:
    """The result of `TensorDataset(*tensors)`."""
    known = tuple(one for one in tensors if isinstance(one, TensorSpec) and one.rank)
    if not known or len(known) < len(tensors):
        return Unknown("a data set of unknown tensors")
    return TensorDataset(known)


def data_loader(run: Run, node: ast.AST, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of `DataLoader(...)`: its first batch, and the smaller last one if the sizes are known."""
    dataset = args[0] if args else kwargs.get("dataset")
    size = args[1] if len(args) > 1 else kwargs.get("batch_size", 1)
    if {"batch_sampler", "sampler"} & kwargs.keys() or type(size) is not int or size < 1:
        return Unknown("batches with unknown size")
    collate = kwargs.get("collate_fn")
    keeps_last = kwargs.get("drop_last", False) is False
    if collate is not None:
        return _collated_batches(run, node, dataset, collate, size, keeps_last)
    item, length = _item(run, node, dataset), length_of(run, node, dataset)
    if isinstance(item, Unknown):
        return Unknown("batches of unknown items")
    whole, rest = divmod(length, size) if isinstance(length, int) else (1, 0)
    sizes = [size] * min(whole, 1) + [rest] * (rest > 0 and keeps_last)
    return DataLoader(tuple(_collated(item, one) for one in sizes))


def _collated_batches(run: Run, node: ast.AST, dataset: Value, collate: Value, size: int, keeps_last: bool) -> Value:
    """The loader whose batches a function makes: the first, and the last if it is smaller.

    The items may differ in shape. They are taken in order, which is also a possible order of those that are shuffled.
    """
    length = length_of(run, node, dataset)
    if size > MOST_ITEMS:
        return Unknown("batches of many items")
    if isinstance(length, int):
        starts = sorted({0, (length - 1) // size * size} if keeps_last else {0}) if length else []
        groups = [[_item(run, node, dataset, at) for at in range(one, min(one + size, length))] for one in starts]
    else:
        groups = [[_item(run, node, dataset, unknown("index", low=0))] * size]
    if any(isinstance(one, Unknown) for group in groups for one in group):
        return Unknown("batches of unknown items")
    return DataLoader(tuple(_collated_by(run, node, collate, group) for group in groups))


def _collated_by(run: Run, node: ast.AST, collate: Value, items: list[Value]) -> Value:
    """The batch that a collate function of the program returns for these items."""
    return dispatch.call(run, node, collate, (ListValue(tuple(items)),), {})


def _random_split(dataset: Value, lengths: Value, generator: Value = None) -> Value:
    """The result of `random_split(...)`; `lengths` are numbers of items or fractions of the data set."""
    parts = items_of(lengths)
    if parts is None:
        return Unknown("an unknown number of parts")
    known = all(type(one) is int for one in parts)
    return ListValue(
        tuple(DatasetPart(dataset, one if known else Unknown("a fraction of a data set")) for one in parts)
    )


def _subset(dataset: Value, indices: Value) -> Value:
    """The result of `Subset(...)`: the items at these indices."""
    items = items_of(indices)
    if isinstance(indices, range):
        return DatasetPart(dataset, len(indices))
    return DatasetPart(dataset, Unknown("an unknown number of items") if items is None else len(items))


def _item(run: Run, node: ast.AST, dataset: Value, at: Size | None = None) -> Value:
    """An item of a data set; without an index, or where the order is not known, one that represents all."""
    if isinstance(dataset, TensorDataset):
        return ListValue(tuple(one.with_shape(one.shape.without(0)) for one in dataset.tensors))
    if isinstance(dataset, DatasetPart):
        return _item(run, node, dataset.dataset, at)
    if isinstance(dataset, ListValue):
        items = items_of(dataset)
        if items and type(at) is int and at < len(items):
            return items[at]
        return reduce(join, items) if items else Unknown("unknown items")
    if isinstance(dataset, SummarySequence):
        return dataset.item
    if special(dataset, "__getitem__") is None and special(dataset, "__iter__") is not None:
        items = items_of(iterated(run, node, dataset))
        return reduce(join, items) if items else Unknown("unknown items")
    return method_result(run, node, dataset, "__getitem__", (0 if at is None else at,))


def _collated(item: Value, size: Size) -> Value:
    """The batch that torch's default collate function returns for this many equal items."""
    if isinstance(item, ArraySpec):
        item = item.spec
    if isinstance(item, TensorSpec):
        return TensorSpec.make(item.shape.inserted(0, size), item.dtype, "contiguous", item.device)
    if isinstance(item, int):
        return TensorSpec((size,), int64, "contiguous")
    if isinstance(item, float):
        return TensorSpec((size,), float64, "contiguous")
    if isinstance(item, DictValue):
        return DictValue({key: _collated(one, size) for key, one in item.items.items()})
    if isinstance(item, ListValue) or type(item) is tuple:
        items = item.items if isinstance(item, ListValue) else item
        return ListValue(tuple(_collated(one, size) for one in items))
    return Unknown("an item of an unknown kind")


_BY_NAME: dict[str, Callable[..., Value]] = {
    "random_split": _random_split,
    "Subset": _subset,
    "TensorDataset": _tensor_dataset,
}
FUNCTIONS = {f"torch.utils.data.{module}{name}": rule for name, rule in _BY_NAME.items() for module in ("", "dataset.")}
