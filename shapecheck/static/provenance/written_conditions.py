"""Conditions on elements that the program writes down (see `engine/written_elements`): they have one outcome."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import children_of
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.run import Run

_WITHOUT_ELEMENTS = frozenset("shape ndim dtype device size dim numel nelement is_cuda is_complex".split())
_OF_ELEMENTS = frozenset("int float bool any all max min sum abs".split())


def is_on_written(run: Run, test: ast.expr, value: Value) -> bool:
    """Whether a condition with this value reads the elements of a tensor that the program writes down."""
    if not run.origins.noted:
        return False
    if isinstance(value, TensorSpec):
        return run.origins.is_written(value)
    names = run.frame.names.fields
    return any(name in names and run.origins.is_written(names[name]) for name in _names_of_elements(test))


@cached_on_node
def _names_of_elements(test: ast.expr) -> tuple[str, ...]:
    """The names whose elements a condition reads; of `x.size(0)` it reads none."""
    return tuple(_names(test))


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and node.attr in _WITHOUT_ELEMENTS:
        return
    if isinstance(node, ast.Name):
        yield node.id
    if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _OF_ELEMENTS):
        yield from _names(node.func) if isinstance(node.func, ast.Attribute) else ()
        return
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        return
    for one in children_of(node):
        yield from _names(one)
