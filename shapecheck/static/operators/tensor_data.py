"""The data of a new tensor, `torch.tensor([x, y])`: a number of unknown value is one element."""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.floats import UnknownFloat, as_operand
from shapecheck.static.domain.objects import ListValue

OF_DATA: Final = frozenset("tensor as_tensor asarray new_tensor".split())
"""The functions that take such data."""
_NUMBERS: Final = (frozenset((bool,)), frozenset((int,)), frozenset((float, UnknownFloat)))
"""Kinds of numbers that have the same dtype in a tensor."""
_DEEPEST: Final = 4


def as_data(value: Value, depth: int = 0) -> Value:
    """The data with any number of its kind in place of each number that has several values, or an unknown one."""
    if isinstance(value, Alternatives):
        kinds = frozenset(map(type, value.members))
        return as_operand(value.members[0]) if any(kinds <= one for one in _NUMBERS) else value
    if depth < _DEEPEST:
        if type(value) is tuple:
            return tuple([as_data(one, depth + 1) for one in value])
        if isinstance(value, ListValue) and not value.lost:
            return ListValue(tuple([as_data(one, depth + 1) for one in value.items]))
    return as_operand(value)


def with_tuple_as_data(node: ast.AST, args: tuple[Value, ...]) -> tuple[Value, ...]:
    """The arguments of `torch.FloatTensor((b, 1, 1))`: a written tuple is the data, while a torch.Size is the shape."""
    if len(args) == 1 and type(args[0]) is tuple and isinstance(node, ast.Call) and node.args:
        return (ListValue(args[0]),) if isinstance(node.args[0], ast.Tuple) else args
    return args
