"""What a function may run or use besides its arguments, on whatever path: read from its source and its closure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.function_writes import Function, function_writes
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Namespace
from shapecheck.static.engine.closures import holder

_MOST = 200
"""The number of functions and classes to look at."""


class CodeReach(NamedTuple):
    """The functions that a function may run, itself included, and the variables of enclosing scopes that they use."""

    functions: frozenset[Function]
    variables: frozenset[tuple[Namespace, str]]


def reach_of(function: FunctionValue) -> CodeReach | None:
    """What a function reaches by name; methods of objects are not among it. None if that is too much."""
    pending: list[FunctionValue | ClassValue] = [function]
    seen: set[FunctionValue | ClassValue] = set()
    functions: set[Function] = set()
    variables: set[tuple[Namespace, str]] = set()
    while pending:
        one = pending.pop()
        if one in seen:
            continue
        if len(seen) == _MOST:
            return None
        seen.add(one)
        if isinstance(one, ClassValue):
            pending += [each for base in one.mro() for each in base.fields.values() if isinstance(each, FunctionValue)]
            continue
        functions.add(one.node)
        for names, name in _outer_names(one):
            held = names.fields[name]
            variables.add((names, name))
            pending += [each for each in _code_in(one, held) if isinstance(each, (FunctionValue, ClassValue))]
    return CodeReach(frozenset(functions), frozenset(variables))


def _outer_names(function: FunctionValue) -> Iterator[tuple[Namespace, str]]:
    for name in _names_in(function.node):
        names = holder(function.closure, name)
        if names is not None:
            yield names, name


def _code_in(function: FunctionValue, held: Value) -> Iterator[Value]:
    """A value, or what the function reads from it if it is a module."""
    if isinstance(held, Namespace):
        for name in function_writes(function.node).read & held.fields.keys():
            yield held.fields[name]
    else:
        yield held


@cached_on_node
def _names_in(node: ast.AST) -> frozenset[str]:
    declared = {name for one in walk(node) if isinstance(one, (ast.Global, ast.Nonlocal)) for name in one.names}
    return frozenset(one.id for one in walk(node) if isinstance(one, ast.Name)) | declared
