"""The shapes that the source states for the result of an expression: in asserts right after it, or in an annotation."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

Sizes = tuple[int | None, ...]
"""The sizes of a stated shape; None for one that is not a literal."""

_ASSERTING: Final = frozenset(("_assert", "_check", "assertEqual", "assertTupleEqual", "assertSequenceEqual"))
_SEQUENCES: Final = frozenset(("tuple", "list", "Size"))


def stated_shapes(block: Sequence[ast.stmt], index: int, returns: ast.expr | None) -> Iterator[Sizes]:
    """The shapes stated for the result of a statement of a block. `returns` annotates the results of its function."""
    statement = block[index]
    if isinstance(statement, ast.Return):
        yield from _of_annotation(returns)
        return
    if isinstance(statement, ast.AnnAssign):
        yield from _of_annotation(statement.annotation)
    name = _assigned(statement)
    if name is not None:
        yield from _of_asserts(block[index + 1 :], name)


def _assigned(statement: ast.stmt) -> str | None:
    """The name or attribute that a statement assigns."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return ast.unparse(statement.targets[0])
    return ast.unparse(statement.target) if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else None


# -- annotations


def _of_annotation(annotation: ast.expr | None) -> Iterator[Sizes]:
    """The axes of `Float[Tensor, "n m"]`."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return
    if not isinstance(annotation, ast.Subscript) or not isinstance(annotation.slice, ast.Tuple):
        return
    axes = annotation.slice.elts[-1]
    if isinstance(axes, ast.Constant) and isinstance(axes.value, str):
        names = axes.value.split()
        if not any(name.startswith(("*", "#*")) or name == "..." for name in names):
            yield tuple(_size_of_axis(name) for name in names)


def _size_of_axis(axis: str) -> int | None:
    size = axis.lstrip("#").rpartition("=")[2]
    return int(size) if size.isdecimal() else None


# -- asserts


def _of_asserts(statements: Iterable[ast.stmt], name: str) -> Iterator[Sizes]:
    """What the asserts at the start of these statements say about the shape of a tensor."""
    single: dict[int, int | None] = {}
    for statement in statements:
        comparisons = list(_comparisons(statement))
        if not comparisons:
            break
        for left, right in comparisons:
            for one, other in ((left, right), (right, left)):
                if _is_shape(one, name):
                    yield from _sizes(other)
                axis = _axis(one, name)
                if axis is not None:
                    single[axis] = _literal(other)
    if single and set(single) == set(range(len(single))):
        yield tuple(single[axis] for axis in range(len(single)))


def _comparisons(statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The pairs that a statement asserts to be equal."""
    if isinstance(statement, ast.Assert):
        yield from _equalities(statement.test)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name in _ASSERTING and name.startswith("_") and call.args:
            yield from _equalities(call.args[0])
        elif name in _ASSERTING and len(call.args) > 1:
            yield call.args[0], call.args[1]


def _equalities(test: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for one in test.values:
            yield from _equalities(one)
    elif isinstance(test, ast.Compare) and all(isinstance(one, ast.Eq) for one in test.ops):
        yield from pairwise([test.left, *test.comparators])


def _is_shape(node: ast.expr, name: str) -> bool:
    """Whether an expression is `x.shape`, `x.size()`, or one of them as a tuple or list."""
    if isinstance(node, ast.Call) and _called(node) in _SEQUENCES and len(node.args) == 1:
        return _is_shape(node.args[0], name)
    if isinstance(node, ast.Call):
        return not node.args and not node.keywords and _is_of(node.func, "size", name)
    return _is_of(node, "shape", name)


def _axis(node: ast.expr, name: str) -> int | None:
    """The dimension whose size an expression is: `x.shape[0]` or `x.size(0)`."""
    if isinstance(node, ast.Subscript) and _is_shape(node.value, name):
        return _literal(node.slice)
    if isinstance(node, ast.Call) and len(node.args) == 1 and _is_of(node.func, "size", name):
        return _literal(node.args[0])
    return None


def _is_of(node: ast.expr, attribute: str, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == attribute and ast.unparse(node.value) == name


def _sizes(node: ast.expr) -> Iterator[Sizes]:
    """The sizes of `(n, m)`, `[n, m]` or `torch.Size([n, m])`."""
    if isinstance(node, ast.Call) and _called(node) in _SEQUENCES and len(node.args) == 1:
        yield from _sizes(node.args[0])
    elif isinstance(node, (ast.Tuple, ast.List)) and not any(isinstance(one, ast.Starred) for one in node.elts):
        yield tuple(map(_literal, node.elts))


def _called(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _literal(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
