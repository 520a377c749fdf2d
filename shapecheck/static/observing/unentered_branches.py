"""The parts of a function that no run entered, because a condition always had the other outcome."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from shapecheck.project.tree_walk import children_of, walk
from shapecheck.static.observing.observer import Function, RunObserver

_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def unentered_nodes(function: Function, watch: RunObserver) -> frozenset[ast.AST]:
    """Every node in the parts that the configuration disables."""
    return frozenset(inside for one in _in_block(function.body, watch) for inside in walk(one))


def _in_block(body: Sequence[ast.stmt], watch: RunObserver) -> Iterator[ast.AST]:
    for index, node in enumerate(body):
        yield from _in_expressions(node, watch)
        if isinstance(node, ast.If):
            verdict = watch.decided.get(node.test)
            taken, other = (node.body, node.orelse) if verdict else (node.orelse, node.body)
            if verdict is not None and not _was_entered(other, watch):
                yield from other
                yield from _in_block(taken, watch)
                if taken and isinstance(taken[-1], _ENDS):
                    yield from body[index + 1 :]
                    return
                continue
        for inner in _blocks(node):
            yield from _in_block(inner, watch)


def _was_entered(body: Sequence[ast.stmt], watch: RunObserver) -> bool:
    """Whether a run with other arguments than those of the program was observed there."""
    return any(node in watch.values for one in body for node in walk(one))


def _blocks(node: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, ())
    for handler in getattr(node, "handlers", ()):
        yield handler.body


def _in_expressions(node: ast.stmt, watch: RunObserver) -> Iterator[ast.AST]:
    """The branches of conditional expressions, and the operands of `and` and `or`, that were never evaluated."""
    for child in children_of(node):
        for one in walk(child) if isinstance(child, ast.expr) else ():
            if isinstance(one, ast.IfExp) and watch.decided.get(one.test) is not None:
                yield one.orelse if watch.decided[one.test] else one.body
            elif isinstance(one, ast.BoolOp):
                ends = isinstance(one.op, ast.Or)
                last = next((n for n, part in enumerate(one.values) if watch.decided.get(part) is ends), None)
                yield from one.values[last + 1 :] if last is not None else ()
