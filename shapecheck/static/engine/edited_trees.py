"""The tree of an edited file with the nodes of its last version, where statements have not changed.

What is known about a node is then known about the node of the edited file. Only statements at the top are compared.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk

_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_BINDINGS = (*_DEFINITIONS, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)


@dataclass(frozen=True)
class Splice:
    """How the statements of a file have changed."""

    same: frozenset[ast.stmt]
    affected: frozenset[ast.stmt]
    """Those of them that may depend on a changed one, by the names in them."""
    is_limited: bool
    """Whether all changed statements only bind names."""


def splice(old: ast.Module, new: ast.Module, old_lines: Sequence[str], new_lines: Sequence[str]) -> Splice:
    """Replaces statements in `new` by equal ones of `old`, which are moved to their new lines."""
    known: dict[str, list[ast.stmt]] = {}
    for one in reversed(old.body):
        known.setdefault(_text(one, old_lines), []).append(one)
    changed: list[ast.stmt] = []
    same: list[ast.stmt] = []
    for place, one in enumerate(new.body):
        equal = known.get(_text(one, new_lines))
        if not equal:
            changed.append(one)
            continue
        kept = equal.pop()
        if kept.lineno != one.lineno:
            ast.increment_lineno(kept, one.lineno - kept.lineno)
        new.body[place] = kept
        same.append(kept)
    changed += [one for left in known.values() for one in left]
    names = {name for one in changed for name in _bound(one)}
    return Splice(
        frozenset(same), frozenset(_affected(same, names)), all(isinstance(one, _BINDINGS) for one in changed)
    )


def _text(node: ast.stmt, lines: Sequence[str]) -> str:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(one.lineno for one in decorators)])
    return "".join(lines[first - 1 : node.end_lineno])


def _affected(statements: Sequence[ast.stmt], names: set[str]) -> Iterator[ast.stmt]:
    """The statements that mention some names, or names of other such statements."""
    left, names = list(statements), set(names)
    while found := [one for one in left if not names.isdisjoint(_mentioned(one))]:
        yield from found
        names |= {name for one in found for name in _bound(one)}
        left = [one for one in left if one not in found]


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds in its module."""
    if isinstance(node, _DEFINITIONS):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((one.asname or one.name).partition(".")[0] for one in node.names)
    else:
        yield from (one.id for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))


@cached_on_node
def _mentioned(node: ast.stmt) -> frozenset[str]:
    """The names and attributes in a statement."""
    found = set()
    for one in walk(node):
        if isinstance(one, ast.Name):
            found.add(one.id)
        elif isinstance(one, ast.Attribute):
            found.add(one.attr)
    return frozenset(found)
