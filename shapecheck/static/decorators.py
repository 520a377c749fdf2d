"""Decorators of the project that give back what they decorate: those that only enter it somewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from shapecheck.static.contracts.names import Scope, meaning_of
from shapecheck.static.machine import Machine
from shapecheck.static.values import ClassValue, FunctionValue, Namespace


def gives_back(machine: Machine, names: Namespace, node: ast.expr, owner: ClassValue | None = None) -> bool:
    """Whether a decorator, written where these names are, is a function that returns its only argument."""
    target = node.func if isinstance(node, ast.Call) else node
    function = meaning_of(Scope(machine, names, owner), target)
    if not isinstance(function, FunctionValue):
        return False
    return _makes_such(function.node) if isinstance(node, ast.Call) else _returns_argument(function.node)


@lru_cache(maxsize=1 << 12)
def _returns_argument(node: Any) -> bool:
    """`def register(cls): ...; return cls`."""
    if isinstance(node, ast.Lambda) or not node.args.args:
        return False
    name = node.args.args[0].arg
    inside = list(_own(node.body))
    returned = [one.value for one in inside if isinstance(one, ast.Return)]
    rebound = any(isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Store) for one in inside)
    plain = all(isinstance(one, ast.Name) and one.id == name for one in returned)
    return bool(returned) and plain and not rebound and node.name not in ("__init__", "__new__")


@lru_cache(maxsize=1 << 12)
def _makes_such(node: Any) -> bool:
    """`def register(name): def enter(cls): ...; return cls; return enter`."""
    if isinstance(node, ast.Lambda):
        return False
    inner = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
    returned = [one.value for one in _own(node.body) if isinstance(one, ast.Return)]
    return bool(returned) and all(
        isinstance(one, ast.Name) and one.id in inner and _returns_argument(inner[one.id]) for one in returned
    )


def _own(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """What stands in a function's body, without the functions and classes in it."""
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        yield statement
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                yield from _own([child])
            else:
                yield from ast.walk(child)
