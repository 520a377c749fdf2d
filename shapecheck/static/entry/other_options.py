"""Failures that a given tensor does not cause, because they occur in a branch for another optional argument before it.

`if lengths is not None: ...` and then `if mask is not None: ...` may require different inputs: each caller gives one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.handled_none import none_defaults
from shapecheck.static.engine.findings import Finding
from shapecheck.static.engine.places import span
from shapecheck.static.entry.variants import Variant

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def is_of_other_option(finding: Finding, variant: Variant) -> bool:
    """Whether a call fails in a branch for another optional argument, before the function uses the tensor."""
    function = next((one for one in walk(variant.scope) if _has(one, variant.parameter.node)), None)
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    if finding.diagnostic.path != variant.loaded.source.display:
        return False
    line = finding.diagnostic.line
    others = _branches(function, none_defaults(function) - {variant.parameter.name})
    is_within = any(first <= line <= last for first, _, last, _ in (span(variant.loaded, one) for one in others))
    return is_within and all(line < span(variant.loaded, one)[0] for one in _dependent(function, variant))


def _has(node: ast.AST, parameter: ast.arg) -> bool:
    """Whether a function has the parameter."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return any(one is parameter for one in walk(node.args))


def _branches(function: _Function, names: frozenset[str]) -> Iterator[ast.stmt]:
    """The statements that run only if one of these arguments is given."""
    for one in walk(function):
        if isinstance(one, ast.If):
            yield from _if_given(one, names)


def _if_given(node: ast.If, names: frozenset[str]) -> list[ast.stmt]:
    test = node.test
    if isinstance(test, ast.Name):
        return node.body if test.id in names else []
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name) or test.left.id not in names:
        return []
    if not isinstance(other := test.comparators[0], ast.Constant) or other.value is not None:
        return []
    return node.body if isinstance(test.ops[0], ast.IsNot) else node.orelse if isinstance(test.ops[0], ast.Is) else []


def _dependent(function: _Function, variant: Variant) -> Iterator[ast.AST]:
    """The code that uses the tensor, or that runs only with it or without it, except for what refuses arguments."""
    tests = [one for one in walk(function) if isinstance(one, (ast.Assert, ast.If, ast.IfExp))]
    tested = {id(one) for statement in tests for one in walk(statement.test)}
    for one in walk(function):
        if isinstance(one, ast.Name) and one.id == variant.parameter.name and id(one) not in tested:
            yield one
    for one in tests:
        if isinstance(one, ast.If) and variant.decides(one) and not isinstance(one.body[-1], ast.Raise):
            yield one.body[0]
