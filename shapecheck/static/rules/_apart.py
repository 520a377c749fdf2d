"""Code of a function that never runs together with a given expression: other branches, and what a return skips."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

_LEAVING = (ast.Return, ast.Raise)


def parts_apart(parents: Mapping[ast.AST, ast.AST], function: ast.AST, node: ast.AST) -> Iterator[ast.AST]:
    """The statements and expressions that do not run if the node does, each with all that is in it."""
    leaves = False
    while node is not function and node in parents:
        parent = parents[node]
        if isinstance(parent, ast.IfExp) and node is not parent.test:
            yield parent.orelse if node is parent.body else parent.body
        block = _block_of(parent, node)
        if block is not None and isinstance(node, ast.stmt):
            place = block.index(node)
            yield from _skipping(block[:place])
            if leaves:
                yield from block[place + 1 :]
            leaves = leaves or isinstance(block[-1], _LEAVING)
        if isinstance(parent, ast.If) and block is not None:
            yield from parent.orelse if block is parent.body else parent.body
        node = parent


def _skipping(earlier: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The branches in earlier statements that leave the function."""
    for one in earlier:
        if isinstance(one, ast.If):
            for arm in (one.body, one.orelse):
                yield from arm if arm and isinstance(arm[-1], _LEAVING) else ()


def _block_of(parent: ast.AST, node: ast.AST) -> list[ast.stmt] | None:
    """The list of statements that holds a statement; None for an expression."""
    blocks = (getattr(parent, field, None) for field in ("body", "orelse", "finalbody"))
    return next((one for one in blocks if isinstance(one, list) and node in one), None)
