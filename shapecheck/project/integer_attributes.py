"""The attributes that code uses as integers, such as sizes of a configuration: `config.width // config.heads`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from shapecheck.project.file_marks import last_name
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk

_SIZES: Final = {
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d"), 1),
    **dict.fromkeys(("Linear", "Embedding", "LSTM", "GRU", "MultiheadAttention"), 2),
    **{f"Conv{kind}{rank}d": 2 for kind in ("", "Transpose") for rank in (1, 2, 3)},
    "range": 3,
}
"""How many of the first arguments are integers, of callables with these names."""


@cached_on_node
def integer_attributes(node: ast.AST) -> frozenset[str]:
    """The names of all attributes that a tree uses where only an integer can be, of whichever object."""
    return frozenset(one.attr for one in _integers(node) if isinstance(one, ast.Attribute))


def _integers(node: ast.AST) -> Iterator[ast.expr]:
    for one in walk(node):
        if isinstance(one, ast.Call):
            for argument in one.args[: _SIZES.get(last_name(one.func), 0)]:
                yield from _operands(argument)
        elif isinstance(one, ast.BinOp) and _divides_integers(one):
            yield from (one.left, one.right)


def _operands(expression: ast.expr) -> Iterator[ast.expr]:
    """The parts of an expression for an integer: `range(config.depth + 1)` computes with integers."""
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, (ast.Add, ast.Sub, ast.Mult)):
        yield from _operands(expression.left)
        yield from _operands(expression.right)
    else:
        yield expression


def _divides_integers(node: ast.BinOp) -> bool:
    """Whether an expression is a quotient or a remainder of integers: no text that is formatted, `text % value`."""
    if isinstance(node.op, ast.Mod):
        return all(isinstance(one, ast.Attribute) or _is_integer(one) for one in (node.left, node.right))
    return isinstance(node.op, ast.FloorDiv)


def _is_integer(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int
