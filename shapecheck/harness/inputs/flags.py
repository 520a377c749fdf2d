"""Parameters without annotation that a function only tests: `if train and self.dropout:`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from shapecheck.harness.function_source import source_tree


def flags_of(function: Callable[..., Any]) -> frozenset[str]:
    """The names that are read as conditions alone; none if the source is not available."""
    tree = source_tree(function)
    if tree is None:
        return frozenset()
    tested = [one for node in ast.walk(tree) for one in _conditions(node)]
    known = {id(one) for one in tested}
    names = [one for one in ast.walk(tree) if isinstance(one, ast.Name)]
    return frozenset(one.id for one in tested) - {one.id for one in names if id(one) not in known}


def _conditions(node: ast.AST) -> Iterator[ast.Name]:
    """The names in the condition of a statement or an expression."""
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield from _operands(node.test)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _operands(node.operand)


def _operands(condition: ast.expr) -> Iterator[ast.Name]:
    if isinstance(condition, ast.Name):
        yield condition
    elif isinstance(condition, ast.BoolOp):
        for one in condition.values:
            yield from _operands(one)
