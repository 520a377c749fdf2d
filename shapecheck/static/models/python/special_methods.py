"""Special methods of classes of the project, such as `__len__`, `__getitem__` and `__add__`."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue, Instance
from shapecheck.static.domain.values import Method
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import MOST_ITEMS
from shapecheck.static.engine.run import Run

_MOST_ROWS = 16
_TENSORS = ("Tensor", "Parameter", "Buffer")
_OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "@": "matmul",
    "%": "mod",
    "|": "or",
}


def special(value: Value, name: str) -> Method | None:
    """The special method of an object; None unless a class of the project defines it."""
    if not isinstance(value, Instance):
        return None
    try:
        found = value.cls.lookup(name)
    except KeyError:
        return None
    return Method(found, value) if isinstance(found, FunctionValue) else None


def call_special(run: Run, node: ast.AST, value: Value, name: str, *args: Value) -> Value | None:
    """The result of a special method; None if there is none."""
    method = special(value, name)
    return None if method is None else dispatch.call(run, node, method, args, {})


def iterated(run: Run, node: ast.AST, value: Value) -> Value:
    """What iterating over an object yields, by `__iter__` or by `__getitem__` and `__len__`; or the value itself."""
    if not isinstance(value, Instance):
        return value
    found = call_special(run, node, value, "__iter__")
    if found is not None:
        return Unknown("an object that is its own iterator") if found is value else found
    length = call_special(run, node, value, "__len__")
    if type(length) is not int or length > MOST_ITEMS or special(value, "__getitem__") is None:
        return value
    rows = [call_special(run, node, value, "__getitem__", index) for index in range(min(length, _MOST_ROWS))]
    return tuple(rows) if length <= _MOST_ROWS else Unknown("too many items of an object")


def decides_operators(value: Value) -> bool:
    """Whether it is an object whose class decides what an operator returns, and not a tensor of a derived class."""
    return isinstance(value, Instance) and not any(name.endswith(_TENSORS) for name in value.cls.outside())


def operated(run: Run, node: ast.AST, symbol: str, left: Value, right: Value) -> Value | None:
    """The result of an operator for objects that define it; None if neither operand does."""
    name = _OPERATORS.get(symbol)
    if name is None:
        return None
    found = call_special(run, node, left, f"__{name}__", right)
    return call_special(run, node, right, f"__r{name}__", left) if found is None else found
