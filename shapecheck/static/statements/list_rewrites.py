"""`for i in range(len(xs)): ...; xs[i] = y`: a loop that replaces every item of a list."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import SUMMARY, ListValue
from shapecheck.static.domain.summary_collections import is_summary
from shapecheck.static.engine.run import Run

_EXITS = (ast.Break, ast.Continue, ast.Return)


@cached_on_node
def replaced_in(node: ast.For | ast.AsyncFor | ast.While) -> ast.Subscript | None:
    """The `xs[i]` that every iteration of a loop over all of `xs` assigns; None if there is none."""
    if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
        return None
    index = node.target.id
    for statement in node.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
            continue
        indexed = isinstance(target.slice, ast.Name) and target.slice.id == index
        name = target.value.id
        if indexed and ast.unparse(node.iter) == f"range(len({name}))" and _always_completes(node, {name, index}):
            return target
    return None


def _always_completes(node: ast.For, names: set[str]) -> bool:
    """Whether every iteration reaches its end and binds none of these names."""
    inside = [one for statement in node.body for one in walk(statement)]
    bound = {one.id for one in inside if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return not bound & names and not any(isinstance(one, _EXITS) for one in inside)


def replace_each(run: Run, value: Value, item: Value) -> None:
    """Replaces the summary element of a list of unknown length."""
    if isinstance(value, ListValue) and is_summary(value):
        run.journal.write(value, SUMMARY, item)
