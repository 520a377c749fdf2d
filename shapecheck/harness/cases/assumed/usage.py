"""What the source of a constructor does with a parameter that has no annotation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shapecheck.harness.function_source import source_tree

_ITEMS = 2
"""The items of a sequence of unknown length."""
_OVER_ITEMS = ("len", "zip", "enumerate", "reversed", "list", "tuple", "sum", "sorted")


@dataclass(frozen=True)
class Usage:
    """items: how many it has, 0 if it is not a sequence. is_called: as a class or function. attributes: those read."""

    items: int = 0
    is_called: bool = False
    attributes: frozenset[str] = frozenset()


def usage_of(target: Any, name: str) -> Usage:
    """How the constructor of a class, or a function, uses one of its parameters; nothing if it cannot be read."""
    tree = source_tree(getattr(target, "__init__", target) if isinstance(target, type) else target)
    if tree is None:
        return Usage()
    nodes = [one for one in ast.walk(tree) if not isinstance(one, ast.arguments)]
    return Usage(
        max((count for node in nodes for count in _items(node, name)), default=0),
        any(isinstance(node, ast.Call) and _is(node.func, name) for node in nodes),
        frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute) and _is(node.value, name)),
    )


def _items(node: ast.AST, name: str) -> Iterator[int]:
    """The number of items that a node requires of a sequence."""
    if isinstance(node, ast.Subscript) and _is(node.value, name):
        yield _beyond(node.slice)
    elif isinstance(node, ast.Assign) and _is(node.value, name):
        yield from (len(one.elts) for one in node.targets if isinstance(one, (ast.Tuple, ast.List)))
    elif isinstance(node, (ast.For, ast.comprehension)) and _is(node.iter, name):
        yield _ITEMS
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OVER_ITEMS:
        yield from (_ITEMS for one in node.args if _is(one, name))


def _beyond(index: ast.expr) -> int:
    """The number of items with which an index exists."""
    if isinstance(index, ast.Constant) and isinstance(index.value, int):
        return max(index.value + 1, _ITEMS)
    return _ITEMS


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
