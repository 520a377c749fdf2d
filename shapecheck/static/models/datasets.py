"""Data sets: their length, and the special methods that their classes define."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue, Instance, ListValue
from shapecheck.static.domain.values import DatasetPart, TensorDataset
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run


def length_of(run: Run, node: ast.AST, dataset: Value) -> Value:
    """The number of items in a data set."""
    if isinstance(dataset, TensorDataset):
        return dataset.tensors[0].dims[0]
    if isinstance(dataset, DatasetPart):
        return dataset.length
    if isinstance(dataset, ListValue):
        items = items_of(dataset)
        return Unknown("an unknown length") if items is None else len(items)
    return method_result(run, node, dataset, "__len__", ())


def method_result(run: Run, node: ast.AST, dataset: Value, name: str, args: tuple[Value, ...]) -> Value:
    """The result of a special method that the class of a data set defines."""
    if isinstance(dataset, Instance):
        try:
            method = dataset.cls.lookup(name)
        except KeyError:
            return Unknown(f"a data set without {name}")
        if isinstance(method, FunctionValue):
            return dispatch.run_function(run, node, method, (dataset, *args), {})
    return Unknown("an unknown data set")
