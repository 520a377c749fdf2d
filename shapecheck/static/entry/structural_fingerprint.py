"""Which functions of a registry build a model with a different structure."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator

from shapecheck.project.tree_walk import walk


def structural_fingerprint(node: ast.AST) -> Hashable:
    """A key that is equal for functions with the same calls and options, whatever numbers they pass."""
    return frozenset(_options(node))


def _options(node: ast.AST) -> Iterator[Hashable]:
    for statement in getattr(node, "body", []):
        for one in walk(statement):
            if isinstance(one, ast.Call):
                yield from (part.id for part in (one.func, *one.args) if isinstance(part, ast.Name))
            elif isinstance(one, ast.keyword):
                yield one.arg, _setting(one.value)


def _setting(value: ast.expr) -> Hashable:
    """The part of an argument that selects a structure; numbers rarely do."""
    if isinstance(value, ast.Name):
        return value.id
    return value.value if isinstance(value, ast.Constant) and not _is_number(value.value) else None


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
