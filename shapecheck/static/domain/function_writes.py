"""What functions may write to objects that they receive, and to names of enclosing scopes, read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.attribute_writes import FILLING, rebound_by, writes_of

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class FunctionWrites(NamedTuple):
    """What functions write.

    `attributes` are written or filled, also through local names; `read` are those whose methods they may call.
    `filled` are names of collections that they change, `rebound` names that they declare `nonlocal` or `global`.
    `is_open` is whether they also write attributes whose names are unknown.
    """

    attributes: frozenset[str]
    read: frozenset[str]
    filled: frozenset[str]
    rebound: frozenset[str]
    is_open: bool


def writes_of_all(functions: Iterable[object]) -> FunctionWrites:
    """The writes of several functions; what is not the definition of a function writes nothing."""
    every = [function_writes(one) for one in functions if isinstance(one, _FUNCTIONS)]
    return FunctionWrites(
        frozenset[str]().union(*(one.attributes for one in every)),
        frozenset[str]().union(*(one.read for one in every)),
        frozenset[str]().union(*(one.filled for one in every)),
        frozenset[str]().union(*(one.rebound for one in every)),
        any(one.is_open for one in every),
    )


@cached_on_node
def function_writes(function: Function) -> FunctionWrites:
    """The writes of one function."""
    writes = writes_of(function)
    filled = frozenset(_filled_names(function))
    attributes = writes.written | frozenset(_attributes_in(function, filled))
    return FunctionWrites(attributes, writes.read, filled, rebound_by(function), writes.is_open)


def _filled_names(function: ast.AST) -> Iterator[str]:
    """The names of collections that a function changes: `items.append(x)`, `items[0] = x`, `items += x`."""
    for one in walk(function):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in FILLING:
            yield from _name_in(one.func.value)
        elif isinstance(one, ast.Subscript) and not isinstance(one.ctx, ast.Load):
            yield from _name_in(one.value)
        elif isinstance(one, ast.AugAssign):
            yield from _name_in(one.target)


def _name_in(node: ast.expr) -> Iterator[str]:
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _attributes_in(function: ast.AST, names: frozenset[str]) -> Iterator[str]:
    """The attributes that these local names are bound to, such as `items` after `found = self.items`."""
    for one in walk(function):
        if isinstance(one, (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.comprehension)):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            value = one.iter if isinstance(one, (ast.For, ast.comprehension)) else one.value
            bound = {name.id for target in targets for name in walk(target) if isinstance(name, ast.Name)}
            if value is not None and not names.isdisjoint(bound):
                yield from (part.attr for part in walk(value) if isinstance(part, ast.Attribute))
