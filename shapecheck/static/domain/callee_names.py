"""The name by which source refers to a function, a decorator or an operator."""

from __future__ import annotations

import ast

from shapecheck.ops import ModuleSpec


def last_name(node: ast.AST | None) -> str:
    """`c` of `a.b.c` and of `c`; empty for any other expression."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_of_self(node: ast.AST | None) -> bool:
    """Whether it is `self.x`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def name_of_callee(node: ast.AST | None) -> str:
    """The last name of what is called, or of the expression itself: `wraps` of `@functools.wraps(f)`."""
    return last_name(node.func if isinstance(node, ast.Call) else node)


def short_name(callee: str | ModuleSpec) -> str:
    """How rules and traits name a call: `cat`, `Linear` where a layer is built, `Linear()` where one is called."""
    return callee.rpartition(".")[2] if isinstance(callee, str) else f"{callee.name}()"
