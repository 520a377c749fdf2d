"""`a.ndim == a.ndim == 2`: a property of a tensor that is compared with itself instead of that of another one."""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.project.tree_walk import walk
from shapecheck.static.engine.hooks import AbstractComparison, compared

_CODE: Final = "constant-comparison"
_PROPERTIES: Final = frozenset(("shape", "ndim", "dtype", "device"))
_METHODS: Final = frozenset(("size", "dim", "numel", "nelement", "ndimension"))


@compared(_CODE, "==", "!=")
def of_one_tensor(comparison: AbstractComparison) -> None:
    """Reports two equal expressions that read the shape, the rank, the dtype or the device of one object."""
    left, right = comparison.left, comparison.right
    text = ast.unparse(left)
    if text == ast.unparse(right) and _reads_property(left) and not _has_effects(left):
        verdict = "true" if comparison.op == "==" else "false"
        message = f"`{text} {comparison.op} {text}` is always {verdict}; compare two different tensors"
        comparison.run.report(_CODE, right, message)


def _reads_property(node: ast.expr) -> bool:
    """`x.shape`, `x.shape[0]`, `x.size(0)`, `len(x.shape)`."""
    if isinstance(node, ast.Subscript):
        return _reads_property(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr in _PROPERTIES
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in _METHODS
    is_length = isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1
    return is_length and _reads_property(node.args[0])


def _has_effects(node: ast.expr) -> bool:
    """Whether the value may be another one each time: a call other than that of a property."""
    return any(isinstance(one, ast.Call) and not _reads_property(one) for one in walk(node))
