"""The names whose values one iteration of a loop may pass to the next: it may read them before it assigns them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import children_of, walk

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@cached_on_node
def carried_names(loop: ast.For | ast.AsyncFor | ast.While) -> frozenset[str]:
    """The names that the condition or body of a loop may read before an iteration assigns them."""
    carried: set[str] = set()
    assigned = set(_stored([loop.target])) if not isinstance(loop, ast.While) else set[str]()
    if isinstance(loop, ast.While):
        carried |= _read(loop.test)
    _follow(loop.body, assigned, carried)
    return frozenset(carried)


def _follow(body: Sequence[ast.stmt], assigned: set[str], carried: set[str]) -> set[str]:
    """Follows a block; adds what it may read before it is assigned, and returns what is assigned at its end."""
    for one in body:
        assigned = _after(one, assigned, carried)
    return assigned


def _after(node: ast.stmt, assigned: set[str], carried: set[str]) -> set[str]:
    carried |= {name for part in _own_expressions(node) for name in _read(part)} - assigned
    if isinstance(node, ast.If):
        return _follow(node.body, assigned, carried) & _follow(node.orelse, assigned, carried)
    if isinstance(node, (ast.With, ast.AsyncWith)):
        given = _stored([one.optional_vars for one in node.items if one.optional_vars is not None])
        return _follow(node.body, assigned | {*given}, carried)
    if isinstance(node, (ast.For, ast.AsyncFor)):
        _follow(node.body, assigned | {*_stored([node.target])}, carried)
        return assigned
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return assigned | {*_stored(targets)}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return assigned | {(one.asname or one.name).partition(".")[0] for one in node.names}
    if isinstance(node, _SCOPES):
        carried |= {one.id for one in walk(node) if isinstance(one, ast.Name)} - assigned
        return assigned | {node.name}
    _within(node, assigned, carried)
    return assigned


def _within(node: ast.AST, assigned: set[str], carried: set[str]) -> None:
    """Follows the parts of a statement, a handler or a case, each of which may or may not run."""
    for part in children_of(node):
        if isinstance(part, ast.stmt):
            _after(part, assigned, carried)
        elif isinstance(part, ast.expr):
            carried |= _read(part) - assigned
        else:
            _within(part, assigned, carried)


def _own_expressions(node: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without those of the statements in it."""
    for part in children_of(node):
        if isinstance(part, (ast.expr, ast.withitem)):
            yield part
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield ast.Name(node.target.id, ast.Load())


def _read(node: ast.AST) -> set[str]:
    """The names that an expression reads, except the variables of its comprehensions; `x += 1` reads x."""
    own = {
        name
        for one in walk(node)
        if isinstance(one, _COMPREHENSIONS)
        for name in _stored([part.target for part in one.generators])
    }
    read = {one.id for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    return read - own


def _stored(targets: Iterable[ast.AST]) -> Iterator[str]:
    for target in targets:
        for one in walk(target):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                yield one.id
