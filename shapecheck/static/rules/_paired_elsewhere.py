"""A column of which the function has all pairs elsewhere, too, so that the author wants them here.

Another statement pairs it with a row, `x[:, None] - low[None]` and `high - x[:, None]`, or compares it with the same
operand by order, `x[:, None] < y`. Or the pairs are combined with a matrix, `x[:, None] + y - matrix`, or with those of
the exchanged operands, `(x[:, None] == y) & (y[:, None] == x)`.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.parents import parents_in
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Shape, TensorSpec, same
from shapecheck.static.engine.run import Run


class _Comparison(NamedTuple):
    """A comparison of all pairs: what a dimension is inserted in, the other operand, and where it is inserted."""

    column: str
    row: str
    place: str

    @property
    def exchanged(self) -> _Comparison:
        return _Comparison(self.row, self.column, self.place)


def is_compared_elsewhere(run: Run, node: ast.AST) -> bool:
    """Whether other comparisons of the same operands show that each pair of them is compared."""
    found = _comparison(node)
    if found is None:
        return False
    function, parents = run.frame.function, parents_in(run.loaded.tree)
    if not _ordered(run.loaded.tree if function is None else function).isdisjoint((found, found.exchanged)):
        return True
    while isinstance(parent := parents.get(node), ast.BinOp) and isinstance(parent.op, ast.BitAnd | ast.BitOr):
        node = parent
    return any(_comparison(one) == found.exchanged for one in walk(node))


def is_paired_elsewhere(function: ast.AST | None, node: ast.AST) -> bool:
    """Whether an operand of an operator is the column of another operator in the function, whose row is written."""
    if function is None or not isinstance(node, ast.BinOp):
        return False
    return not _columns_beside_rows(function).isdisjoint(map(ast.unparse, (node.left, node.right)))


def is_beside_matrix(run: Run, node: ast.AST, result: Shape) -> bool:
    """Whether an operator with an inserted dimension is combined with a variable that has the shape of its result."""
    if not any(_inserted(one) is not None for one in _operands(node)):
        return False
    parent = parents_in(run.loaded.tree).get(node)
    if not isinstance(parent, ast.BinOp):
        return False
    other = parent.right if parent.left is node else parent.left
    value = run.frame.names.fields.get(other.id) if isinstance(other, ast.Name) else None
    if not isinstance(value, TensorSpec) or value.rank is None or value.rank != result.rank:
        return False
    return all(same(one, size) is True for one, size in zip(value.dims, result.dims, strict=True))


def _operands(node: ast.AST) -> tuple[ast.expr, ...]:
    """The operands of an arithmetic operator, or of a comparison of two; none of another expression."""
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    return (node.left, *node.comparators) if isinstance(node, ast.Compare) and len(node.ops) == 1 else ()


def _comparison(node: ast.AST) -> _Comparison | None:
    """The comparison of a column, in whose expression the dimension is inserted, with an operand without one."""
    operands = _operands(node) if isinstance(node, ast.Compare) else ()
    places = [_inserted(one) for one in operands]
    if len(places) - places.count(None) != 1:
        return None
    column, row = operands if places[1] is None else reversed(operands)
    place = places[0] if places[1] is None else places[1]
    return _Comparison(_text_before_insertion(column), ast.unparse(row), place or "")


def _text_before_insertion(column: ast.expr) -> str:
    """The text of `x` in `x[:, None]` and `x.unsqueeze(1)`."""
    place = column.func if isinstance(column, ast.Call) else column
    return ast.unparse(place.value) if isinstance(place, ast.Attribute | ast.Subscript) else ""


@cached_on_node
def _ordered(scope: ast.AST) -> frozenset[_Comparison]:
    """The comparisons by order, `x[:, None] < y`."""
    signs = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    compared = (one for one in walk(scope) if isinstance(one, ast.Compare) and isinstance(one.ops[0], signs))
    return frozenset(found for one in compared if (found := _comparison(one)) is not None)


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
