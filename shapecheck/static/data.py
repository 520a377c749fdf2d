"""Data sets and loaders: the batches that a loop over them gives, the last and smaller one included."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import Size, TensorSpec
from shapecheck.spec.dtype import float64, int64
from shapecheck.static.arrays.value import ArraySpec
from shapecheck.static.functions import run_function
from shapecheck.static.machine import Machine
from shapecheck.static.values import DictValue, FunctionValue, Instance, ListValue, Loader, TensorRows, Value


def tensor_dataset(*tensors: Value) -> Value:
    """TensorDataset: rows of tensors that lie side by side."""
    known = all(isinstance(one, TensorSpec) and one.rank for one in tensors)
    return TensorRows(tensors) if known and tensors else Unknown("a data set of unknown tensors")


def data_loader(machine: Machine, node: ast.AST, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """DataLoader: its first batch, and the smaller one at the end where the sizes are known."""
    dataset = args[0] if args else kwargs.get("dataset")
    size = args[1] if len(args) > 1 else kwargs.get("batch_size", 1)
    if {"collate_fn", "batch_sampler", "sampler"} & kwargs.keys() or type(size) is not int or size < 1:
        return Unknown("batches of unknown form")
    item, length = _item(machine, node, dataset), _length(machine, node, dataset)
    if isinstance(item, Unknown):
        return item
    sizes = [size]
    if isinstance(length, int):
        whole, rest = divmod(length, size)
        sizes = [size] * min(whole, 1) + [rest] * (rest > 0 and kwargs.get("drop_last", False) is False)
    return Loader(tuple(_collated(item, one) for one in sizes))


def _item(machine: Machine, node: ast.AST, dataset: Value) -> Value:
    if isinstance(dataset, TensorRows):
        rows = [one.with_shape(one.shape.without(0)) for one in dataset.tensors]
        return ListValue(tuple(rows))
    return _method(machine, node, dataset, "__getitem__", (0,))


def _length(machine: Machine, node: ast.AST, dataset: Value) -> Value:
    if isinstance(dataset, TensorRows):
        return dataset.tensors[0].dims[0]
    return _method(machine, node, dataset, "__len__", ())


def _method(machine: Machine, node: ast.AST, dataset: Value, name: str, args: tuple[Value, ...]) -> Value:
    if isinstance(dataset, Instance):
        try:
            method = dataset.cls.lookup(name)
        except KeyError:
            return Unknown(f"no {name}")
        if isinstance(method, FunctionValue):
            return run_function(machine, node, method, (dataset, *args), {})
    return Unknown("an unknown data set")


def _collated(item: Value, size: Size) -> Value:
    """Equal items in one batch, as torch's default collate function joins them."""
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
