"""Calls that forward what a function receives: `nn.Linear(*args) if layer is None else layer`."""

from __future__ import annotations

import ast

from shapecheck.static.engine.run import Run
from shapecheck.static.operators.doubtful_ranks import is_parted


def may_forward_others(run: Run, node: ast.AST) -> bool:
    """Whether a call in a branch forwards arguments: the condition may hold only for callers that pass other ones."""
    return unpacks_arguments(node) and is_parted(run)


def unpacks_arguments(node: ast.AST) -> bool:
    """Whether a call has arguments of unknown number: `f(*args, **kwargs)`."""
    if not isinstance(node, ast.Call):
        return False
    return any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords)
