"""Where a module gets its names from, read from its tree: it is not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk

_BLOCKS = ("body", "orelse", "finalbody", "handlers")


class ImportSource(NamedTuple):
    """`from ..module import original`, with `level` dots; without an original name, the module itself."""

    level: int
    module: str
    original: str


class Exports(NamedTuple):
    """The names that the code of a module binds, also in its `if` and `try` statements."""

    defined: frozenset[str]
    """Those of functions, classes and variables."""
    imported: dict[str, ImportSource]
    stars: tuple[tuple[int, str], ...]
    """The level and the name of each module from which all names are imported."""


@cached_on_node
def exports_of(tree: ast.Module) -> Exports:
    """What a module binds."""
    defined: set[str] = set()
    imported: dict[str, ImportSource] = {}
    stars: list[tuple[int, str]] = []
    for node in _statements(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                if one.name == "*":
                    stars.append((node.level, node.module or ""))
                else:
                    imported[one.asname or one.name] = ImportSource(node.level, node.module or "", one.name)
        elif isinstance(node, ast.Import):
            for one in node.names:
                module = one.name if one.asname else one.name.partition(".")[0]
                imported[one.asname or module] = ImportSource(0, module, "")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            defined.update(one.id for target in targets for one in walk(target) if isinstance(one, ast.Name))
    return Exports(frozenset(defined), imported, tuple(stars))


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a module, and of its blocks, in order."""
    for field in _BLOCKS:
        for one in getattr(tree, field, ()):
            if isinstance(one, ast.stmt):
                yield one
            if isinstance(one, (ast.If, ast.Try, ast.With, ast.ExceptHandler)):
                yield from _statements(one)


def absolute_name(package: str, level: int, module: str) -> str:
    """The full name of a module that is imported with `level` dots in a module of this package."""
    parts = package.split(".") if package else []
    home = parts[: len(parts) - (level - 1)] if level else []
    return ".".join([*home, *([module] if module else [])])
