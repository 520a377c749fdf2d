"""Statements of the body of a module that bind names and do nothing else, as far as the project is concerned.

Only calls of what is imported from outside of the project, and of some functions of Python, count as harmless: other
calls may change what other definitions have made.
"""

from __future__ import annotations

import ast
from collections.abc import Container

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BUILTINS = frozenset(
    """
    bool bytes classmethod complex dict enumerate float frozenset int isinstance issubclass len list max min object
    pow property range reversed round set sorted staticmethod str sum super tuple zip
    """.split()
)
_OF_PROPERTIES = frozenset(("setter", "getter", "deleter"))
_LEAVES = (ast.Constant, ast.Name, ast.Lambda)
_TRANSPARENT = (
    ast.Attribute,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.Subscript,
    ast.Slice,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.IfExp,
    ast.Starred,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.comprehension,
    ast.keyword,
)
_UNLIKE_VALUES = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


def is_plain(node: ast.stmt, outside: Container[str]) -> bool:
    """Whether running a statement only binds names; `outside` are the names of other packages."""
    evaluated, inside = _parts(node)
    return (
        evaluated is not None
        and all(_is_known(one, outside) for one in getattr(node, "decorator_list", ()))
        and all(is_harmless(one, outside) for one in evaluated)
        and all(is_plain(one, outside) for one in inside)
    )


def _parts(node: ast.stmt) -> tuple[list[ast.expr] | None, list[ast.stmt]]:
    """What a statement evaluates, None if it does more than bind names, and the statements that it runs."""
    evaluated: list[ast.expr] | None = None
    inside: list[ast.stmt] = []
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ):
        evaluated = []
    elif isinstance(node, _FUNCTIONS):
        evaluated = [*node.decorator_list, *_evaluated_with(node.args)]
    elif isinstance(node, ast.ClassDef) and not node.keywords:
        evaluated, inside = [*node.decorator_list, *node.bases], node.body
    elif isinstance(node, ast.Assign) and all(map(_is_name, node.targets)):
        evaluated = [node.value]
    elif isinstance(node, ast.AnnAssign) and _is_name(node.target):
        evaluated = [] if node.value is None else [node.value]
    elif isinstance(node, ast.If):
        evaluated, inside = [node.test], [*node.body, *node.orelse]
    elif isinstance(node, ast.Try):
        handled = [one for handler in node.handlers for one in handler.body]
        evaluated, inside = [], [*node.body, *handled, *node.orelse, *node.finalbody]
    return evaluated, inside


def is_harmless(node: ast.AST, outside: Container[str]) -> bool:
    """Whether an expression changes nothing that other code of the project reads."""
    if isinstance(node, ast.Call):
        parts = (node.func, *node.args, *node.keywords)
        return _is_known(node.func, outside) and all(is_harmless(one, outside) for one in parts)
    if isinstance(node, (*_LEAVES, *_UNLIKE_VALUES)):
        return True
    return isinstance(node, _TRANSPARENT) and all(is_harmless(one, outside) for one in ast.iter_child_nodes(node))


def _is_known(function: ast.expr, outside: Container[str]) -> bool:
    """Whether a function is one of another package or of Python, or a method of a property or a string."""
    if isinstance(function, ast.Attribute) and function.attr in _OF_PROPERTIES:
        return True
    while isinstance(function, (ast.Attribute, ast.Call, ast.Subscript)):
        function = function.func if isinstance(function, ast.Call) else function.value
    if isinstance(function, ast.Name):
        return function.id in outside or function.id in _BUILTINS
    return isinstance(function, ast.Constant)


def _is_name(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]
    return all(isinstance(one, ast.Name) for one in parts)


def _evaluated_with(given: ast.arguments) -> list[ast.expr]:
    return [*given.defaults, *(one for one in given.kw_defaults if one is not None)]
