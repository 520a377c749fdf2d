"""Whether the layers of an nn.Sequential may be called one by one, with other code between them."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.engine.run import Run

_READING = frozenset("enumerate zip reversed list tuple iter next len getattr".split())
_PARTS = frozenset("children named_children modules named_modules _modules items values keys pop insert".split())


def may_be_used_apart(run: Run, node: ast.expr) -> bool:
    """Whether the file iterates over something of the name to which the container is assigned, or reads its items."""
    tree = run.loaded.tree
    names = _assigned(tree).get(node, ())
    return any(name in _taken_apart(tree) for name in names)


@cached_on_node
def _assigned(tree: ast.Module) -> dict[ast.expr, tuple[str, ...]]:
    """The names to which expressions are assigned, for the calls anywhere in the assigned value."""
    found: dict[ast.expr, tuple[str, ...]] = {}
    for one in walk(tree):
        if isinstance(one, (ast.Assign, ast.AnnAssign)) and one.value is not None:
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            names = tuple(name for target in targets if (name := _name(target)))
            found |= {part: names for part in walk(one.value) if isinstance(part, ast.Call)}
    return found


@cached_on_node
def _taken_apart(tree: ast.Module) -> frozenset[str]:
    """The last names of what the file iterates over, subscripts, or passes to functions that do."""
    return frozenset(name for one in walk(tree) for part in _parts_read(one) if (name := _name(part)))


def _parts_read(node: ast.AST) -> tuple[ast.expr, ...]:
    """What a node iterates over, or reads an item of."""
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        return (node.iter,)
    if isinstance(node, (ast.Subscript, ast.Starred)):
        return (node.value,)
    if isinstance(node, ast.Attribute) and node.attr in _PARTS:
        return (node.value,)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _READING:
        return tuple(node.args)
    return ()


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
