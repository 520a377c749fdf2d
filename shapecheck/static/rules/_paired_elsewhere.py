"""A column of which the function has all pairs elsewhere, too, so that the author wants them here.

Another statement pairs it with a row, `x[:, None] - low[None]` and `high - x[:, None]`, or the pairs are combined with
a matrix: `x[:, None] + y - matrix`.
"""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.parents import parents_in
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Shape, TensorSpec, same
from shapecheck.static.engine.run import Run


def is_paired_elsewhere(function: ast.AST | None, node: ast.AST) -> bool:
    """Whether an operand of an operator is the column of another operator in the function, whose row is written."""
    if function is None or not isinstance(node, ast.BinOp):
        return False
    return not _columns_beside_rows(function).isdisjoint(map(ast.unparse, (node.left, node.right)))


def is_beside_matrix(run: Run, node: ast.AST, result: Shape) -> bool:
    """Whether an operator with an inserted dimension is combined with a variable that has the shape of its result."""
    if not isinstance(node, ast.BinOp) or (_inserted(node.left) is None and _inserted(node.right) is None):
        return False
    parent = parents_in(run.loaded.tree).get(node)
    if not isinstance(parent, ast.BinOp):
        return False
    other = parent.right if parent.left is node else parent.left
    value = run.frame.names.fields.get(other.id) if isinstance(other, ast.Name) else None
    if not isinstance(value, TensorSpec) or value.rank is None or value.rank != result.rank:
        return False
    return all(same(one, size) is True for one, size in zip(value.dims, result.dims, strict=True))


@cached_on_node
def _columns_beside_rows(function: ast.AST) -> frozenset[str]:
    """The text of each operand with an inserted dimension whose partner has one at another place."""
    found: set[str] = set()
    for one in walk(function):
        if isinstance(one, ast.BinOp):
            left, right = _inserted(one.left), _inserted(one.right)
            if left is not None and right is not None and left != right:
                found.update(map(ast.unparse, (one.left, one.right)))
    return frozenset(found)


def _inserted(node: ast.expr) -> str | None:
    """Where an expression inserts a dimension: the axis of `x.unsqueeze(1)`, or the subscript of `x[:, None]`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "unsqueeze":
        given = [*node.args, *(one.value for one in node.keywords)]
        return ast.unparse(given[0]) if given else None
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        is_none = [isinstance(one, ast.Constant) and one.value is None for one in parts]
        return str(is_none.index(True)) if any(is_none) else None
    return None
