"""A conditional expression as a statement, `a() if flag else b()`: run as the `if` statement that it abbreviates."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node


@cached_on_node
def as_statement(node: ast.IfExp) -> ast.If:
    """The `if` statement with the same effects; a name or constant that is an arm has none."""
    made = ast.If(test=node.test, body=_arm(node.body), orelse=_arm(node.orelse))
    return ast.copy_location(made, node)


def _arm(node: ast.expr) -> list[ast.stmt]:
    return [ast.copy_location(ast.Expr(value=node), node)]
