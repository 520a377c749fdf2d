"""Flags of nested loops: `is_first = False` in a round, and `if is_first:` in a later one.

After a round that may not run, several flags are unknown, but not independently of each other. The rounds in which they
are known have been run by then, so nothing is lost if the branches for an unknown flag report nothing.
"""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_loop_flag(function: ast.AST | None, test: ast.expr) -> bool:
    """Whether a condition is a local flag that a loop within a loop around the condition sets."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    return function is not None and isinstance(test, ast.Name) and test in _flags_read(function)


@cached_on_node
def _flags_read(function: ast.AST) -> frozenset[ast.Name]:
    """The places in loops of loops that read a flag which is set there."""
    flags = _flags(function)
    outer = [one for one in walk(function) if isinstance(one, _LOOPS)] if flags else []
    inner = [part for one in outer for part in walk(one) if isinstance(part, _LOOPS) and part is not one]
    found: set[ast.Name] = set()
    for loop in inner:
        names = [one for one in walk(loop) if isinstance(one, ast.Name) and one.id in flags]
        set_here = {one.id for one in names if isinstance(one.ctx, ast.Store)}
        found |= {one for one in names if isinstance(one.ctx, ast.Load) and one.id in set_here}
    return frozenset(found)


@cached_on_node
def _flags(function: ast.AST) -> frozenset[str]:
    """The variables that a function assigns True and False, and nothing else."""
    plain = [one for one in walk(function) if isinstance(one, ast.Assign) and _is_bool(one.value)]
    targets = {target for one in plain for target in one.targets if isinstance(target, ast.Name)}
    stored = {one for one in walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return frozenset(one.id for one in targets) - {one.id for one in stored - targets}


def _is_bool(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)
