"""A symbolic axis as Python source: `2*d` over the variables that hold the sizes, `{self.dim}` over the arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from shapecheck.runtime.scope import Unsupported
from shapecheck.spec.symbolic import SymbolicAxis

_CALLABLE = frozenset(("max", "min", "abs", "int", "round"))


def axis_names(axis: SymbolicAxis) -> tuple[str, ...]:
    """The axis names in the expression."""
    found = (node.id for node in ast.walk(_tree(axis)) if isinstance(node, ast.Name))
    return tuple(dict.fromkeys(name for name in found if name not in _CALLABLE and name not in _holes(axis)))


def axis_source(axis: SymbolicAxis, variables: Mapping[str, str], holes: Mapping[str, str]) -> str:
    """The expression with each axis name replaced by its variable, and each hole by that in `holes`, or its text."""
    filled = {name: holes.get(hole, hole) for name, hole in _holes(axis).items()}
    tree = _Renaming({**variables, **filled}).visit(_tree(axis))
    return ast.unparse(tree)


def _holes(axis: SymbolicAxis) -> dict[str, str]:
    return {f"_hole_{index}": hole for index, hole in enumerate(axis.holes)}


def _tree(axis: SymbolicAxis) -> ast.expr:
    """The expression, each `{...}` a name of its own.

    A hole is text in jaxtyping: a value in its place means the same only if the hole is a whole operand.
    """
    text = axis.text
    if "\\" in text or "'" in text:
        raise Unsupported
    for index, hole in enumerate(axis.holes):
        written = f"{{{hole}}}"
        before, found, after = text.partition(written)
        if not found or re.search(r"[\w.]$", before) or re.match(r"[\w.]|\*\*", after):
            raise Unsupported
        text = f"{before}_hole_{index}{after}"
    if "{" in text or "}" in text:
        raise Unsupported
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unsupported from None


class _Renaming(ast.NodeTransformer):
    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = sources

    def visit_Name(self, node: ast.Name) -> ast.expr:
        source = self.sources.get(node.id)
        return node if source is None else ast.parse(source, mode="eval").body
