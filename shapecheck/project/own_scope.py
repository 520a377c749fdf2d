"""The nodes of a function or class that run in its own scope, not in that of a function or class inside it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from shapecheck.project.tree_walk import children_of

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def in_own_scope(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of the body of a function, lambda or class, and what runs there of inner ones: defaults, decorators."""
    pending = [*_bodies(node)]
    while pending:
        one = pending.pop()
        yield one
        pending.extend(_outside(one) if isinstance(one, _DEFINITIONS) else children_of(one))


def _bodies(node: ast.AST) -> Iterable[ast.AST]:
    body: list[ast.AST] | ast.AST = getattr(node, "body", [])
    return body if isinstance(body, list) else [body]


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a definition that run where it is defined."""
    inside = {id(one) for one in _bodies(node)}
    return (one for one in children_of(node) if id(one) not in inside)
