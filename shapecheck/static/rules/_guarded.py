"""Whether the program distinguishes a size of 1, or ranks, where a node is."""

from __future__ import annotations

import ast

_READING_RANK = frozenset(("dim", "ndim", "ndimension"))
_FEW = frozenset((0, 1, 2))


def is_guarded(tree: ast.AST, node: ast.AST) -> bool:
    """Whether a node is in a branch of a condition that compares something with 0, 1 or 2, or reads a rank."""
    found = _tests_around(tree, node)
    return any(map(_is_about_sizes, found or ()))


def _tests_around(outer: ast.AST, node: ast.AST) -> list[ast.expr] | None:
    """The conditions of the branches around a node; only parts that span its line are searched."""
    if outer is node:
        return []
    line = getattr(node, "lineno", 0)
    for child in ast.iter_child_nodes(outer):
        if getattr(child, "lineno", line) <= line <= (getattr(child, "end_lineno", None) or line):
            found = _tests_around(child, node)
            if found is not None:
                if isinstance(outer, (ast.If, ast.IfExp)) and child is not outer.test:
                    found.append(outer.test)
                return found
    return None


def _is_about_sizes(test: ast.expr) -> bool:
    return any(_is_few(one) or getattr(one, "attr", "") in _READING_RANK for one in ast.walk(test))


def _is_few(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value in _FEW
