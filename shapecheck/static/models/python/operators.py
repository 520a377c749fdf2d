"""The functions of `operator`, and `sum`, for all kinds of values."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import items_of, some_item
from shapecheck.static.engine.run import Run

_SYMBOLS: dict[str, ast.operator] = {
    "add": ast.Add(),
    "sub": ast.Sub(),
    "mul": ast.Mult(),
    "truediv": ast.Div(),
    "floordiv": ast.FloorDiv(),
    "mod": ast.Mod(),
    "pow": ast.Pow(),
    "matmul": ast.MatMult(),
    "and_": ast.BitAnd(),
    "or_": ast.BitOr(),
}


def _binary(run: Run, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
    return dispatch.binary(run, node, op, left, right)


def _function(op: ast.operator) -> Callable[..., Value]:
    return lambda run, node, left, right: _binary(run, node, op, left, right)


def _sum(run: Run, node: ast.AST, iterable: Value, start: Value = 0) -> Value:
    items = items_of(iterable)
    if items is None and isinstance(element := some_item(iterable), TensorSpec):
        # Two items, so that they are broadcast: with more, the shape stays.
        items = [element, some_item(iterable)]
    if items is None:
        return Unknown("an unknown sum")
    total = start
    for one in items:
        total = _binary(run, node, _SYMBOLS["add"], total, one)
    return total


ASKING: dict[str, Callable[..., Value]] = {
    "builtins.sum": _sum,
    **{f"operator.{name}": _function(op) for name, op in _SYMBOLS.items()},
}
