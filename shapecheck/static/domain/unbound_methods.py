"""Methods that code reads of their class, `Net.forward`, and so may bind to objects of any other class."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.parents import parents_in
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.callee_names import last_name

ANY = ""
"""The name for any class, or for any method of a class."""


class MethodRead(NamedTuple):
    """A class and its method, by their names; each of them may be ANY."""

    cls: str
    method: str


@cached_on_node
def unbound_methods(tree: ast.Module) -> frozenset[MethodRead]:
    """The methods that a file reads of their class, but not for a call with the `self` of a subclass.

    Every `a.b` counts, since it is not known which names are classes.
    """
    original = {
        one.asname: one.name.rpartition(".")[2]
        for node in walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for one in node.names
        if one.asname
    }
    bases = {node.name: node.bases for node in walk(tree) if isinstance(node, ast.ClassDef)}
    found: set[MethodRead] = set()
    for node in walk(tree):
        for name, method in _reads(node):
            if not _is_called_for_base(node, name, parents_in(tree), bases):
                found.add(MethodRead(original.get(name, name), method))
    return frozenset(found)


def _reads(node: ast.AST) -> Iterator[MethodRead]:
    """What `Net.forward`, `net.forward.__func__`, `vars(Net)` and `net.__class__ = Net` read."""
    holder: ast.expr | None = None
    method = ANY
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        holder, method = node.value, ANY if node.attr == "__dict__" else node.attr
    elif isinstance(node, ast.Call) and last_name(node.func) in ("getattr", "vars") and node.args:
        holder = node.args[0]
        named = node.args[1] if len(node.args) > 1 else None
        method = named.value if isinstance(named, ast.Constant) and isinstance(named.value, str) else ANY
    elif isinstance(node, ast.Assign) and any(last_name(one) == "__class__" for one in node.targets):
        holder = node.value
    if name := last_name(holder):
        yield MethodRead(ANY, name) if method == "__func__" else MethodRead(name, method)


def _is_called_for_base(
    node: ast.AST, name: str, parents: Mapping[ast.AST, ast.AST], bases: Mapping[str, list[ast.expr]]
) -> bool:
    """Whether it is `Net.forward` in a call `Net.forward(self, ...)` of Net itself or a class that derives from it."""
    call = parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node or not call.args or last_name(call.args[0]) != "self":
        return False
    holder: ast.AST | None = call
    while holder is not None and not isinstance(holder, ast.ClassDef):
        holder = parents.get(holder)
    pending, seen = [holder.name] if holder is not None else [], set[str]()
    while pending:
        one = pending.pop()
        if one == name:
            return True
        if one not in seen:
            seen.add(one)
            pending += map(last_name, bases.get(one, ()))
    return False
