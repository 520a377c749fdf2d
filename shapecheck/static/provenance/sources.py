"""What the source binds a name to: the statement of a target, and the expression assigned to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from shapecheck.project.tree_walk import children_of

_BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension, ast.withitem)


class Source(NamedTuple):
    """The statement that binds a target, and the expression assigned to it, None if there is none of its own."""

    statement: ast.AST
    value: ast.expr | None


def source_of(target: ast.AST, tree: ast.AST) -> Source | None:
    """Where a target in a tree gets its value, None if that is not found."""
    line = getattr(target, "lineno", None)
    above = None if line is None else _ancestors(tree, target, line)
    if not above:
        return None
    path: list[int] = []
    inner: ast.AST = target
    for outer in reversed(above):
        if isinstance(outer, (ast.Tuple, ast.List)):
            path.insert(0, next(place for place, one in enumerate(outer.elts) if one is inner))
        elif isinstance(outer, (ast.Assign, ast.AnnAssign)):
            return Source(outer, None if outer.value is None else _element(outer.value, path))
        elif isinstance(outer, _BINDING):
            return Source(outer, None)
        elif not isinstance(outer, ast.Starred):
            return None
        inner = outer
    return None


def _ancestors(node: ast.AST, target: ast.AST, line: int) -> list[ast.AST] | None:
    """The ancestors of the target, from the root down; only nodes that span the target's line are searched."""
    for child in children_of(node):
        if child is target:
            return [node]
        if getattr(child, "lineno", line) <= line <= (getattr(child, "end_lineno", None) or line):
            found = _ancestors(child, target, line)
            if found is not None:
                return [node, *found]
    return None


def _element(value: ast.expr, path: list[int]) -> ast.expr | None:
    """The element of a tuple or list display at a path of indices, None if there is none."""
    for place in path:
        if not isinstance(value, (ast.Tuple, ast.List)) or place >= len(value.elts):
            return None
        if any(isinstance(one, ast.Starred) for one in value.elts):
            return None
        value = value.elts[place]
    return value


def operands(node: ast.AST, count: int) -> list[ast.expr | None]:
    """The expressions of an operator's first `count` arguments, including the receiver of a method."""
    found: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        found = [node.left, node.right]
    elif isinstance(node, ast.Subscript):
        found = [node.value, node.slice]
    elif isinstance(node, ast.Call) and not any(isinstance(one, ast.Starred) for one in node.args):
        found = list(node.args)
        if isinstance(node.func, ast.Attribute) and len(found) == count - 1:
            found.insert(0, node.func.value)
    return list(found) if len(found) == count else [None] * count


def names_in(node: ast.expr) -> Iterator[ast.expr]:
    """The names and attributes that an expression is computed from."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        yield node
    elif isinstance(node, ast.Call):
        for one in (*node.args, *(keyword.value for keyword in node.keywords)):
            yield from names_in(one)
    else:
        for child in children_of(node):
            if isinstance(child, ast.expr):
                yield from names_in(child)
