"""Whether the program distinguishes a size of 1, or ranks, where a node is."""

from __future__ import annotations

import ast

from shapecheck.project.tree_walk import children_of, walk

_READING_RANK = frozenset(("dim", "ndim", "ndimension"))
_FEW = frozenset((0, 1, 2))


def is_guarded(tree: ast.AST, node: ast.AST) -> bool:
    """Whether a node is in a branch of a condition that compares something with 0, 1 or 2, or reads a rank."""
    found = _tests_around(tree, node)
    return any(map(_is_about_sizes, found or ()))


def has_tested_length(tree: ast.AST, node: ast.AST) -> bool:
    """Whether the function compares the length of the tensor that a node squeezes with another number than 0 before.

    As in `while not len(x) > least: x = ...`, after which there are several rows.
    """
    name = _squeezed_name(node)
    function = _function_around(tree, node)
    if name is None or function is None:
        return False
    tests = [one for one in walk(function) if isinstance(one, ast.Compare) and one.lineno <= _line(node)]
    return any(_compares_length(one, name) for one in tests)


def _squeezed_name(node: ast.AST) -> str | None:
    """The variable `x` of `x.squeeze()` and `torch.squeeze(x)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    operand = node.args[0] if node.args else node.func.value
    return operand.id if isinstance(operand, ast.Name) else None


def _function_around(tree: ast.AST, node: ast.AST) -> ast.AST | None:
    """The innermost function that contains a line of the node."""
    found = None
    for one in walk(tree):
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.lineno <= _line(node) <= (
            one.end_lineno or 0
        ):
            found = one
    return found


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _compares_length(test: ast.Compare, name: str) -> bool:
    """Whether it is `len(x) > n`, or another order of the number of rows or elements and a number."""
    sides = (test.left, *test.comparators)
    if not isinstance(test.ops[0], (ast.Gt, ast.GtE, ast.Lt, ast.LtE)):
        return False
    if any(isinstance(one, ast.Constant) and one.value == 0 for one in sides):
        return False
    return any(_is_length(one, name) for one in sides)


def _is_length(node: ast.expr, name: str) -> bool:
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
        return isinstance(node.args[0], ast.Name) and node.args[0].id == name
    read = node.func if isinstance(node, ast.Call) else node
    is_size = isinstance(read, ast.Attribute) and read.attr in ("shape", "size", "numel")
    return is_size and isinstance(read, ast.Attribute) and isinstance(read.value, ast.Name) and read.value.id == name


def _tests_around(outer: ast.AST, node: ast.AST) -> list[ast.expr] | None:
    """The conditions of the branches around a node; only parts that span its line are searched."""
    if outer is node:
        return []
    line = getattr(node, "lineno", 0)
    for child in children_of(outer):
        if getattr(child, "lineno", line) <= line <= (getattr(child, "end_lineno", None) or line):
            found = _tests_around(child, node)
            if found is not None:
                if isinstance(outer, (ast.If, ast.IfExp)) and child is not outer.test:
                    found.append(outer.test)
                return found
    return None


def _is_about_sizes(test: ast.expr) -> bool:
    return any(_is_few(one) or getattr(one, "attr", "") in _READING_RANK for one in walk(test))


def _is_few(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value in _FEW
