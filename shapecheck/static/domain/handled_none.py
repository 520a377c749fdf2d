"""Variables of which a function handles None: `width or dim` shows that None is an allowed argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk


@cached_on_node
def handled_none(function: ast.AST) -> frozenset[str]:
    """The variables that a function tests for None, and that keep their value in both cases."""
    found: set[str] = set()
    required: set[str] = set()
    for one in walk(function):
        if isinstance(one, ast.Assert):
            required |= _names(one.test)
        elif isinstance(one, (ast.If, ast.IfExp)):
            names = _names(one.test)
            required |= {name for name in names if _assigns_or_ends(one, name)}
            found.add(_tested(one.test))
    return frozenset(found - required)


def _names(node: ast.expr) -> set[str]:
    return {one.id for one in walk(node) if isinstance(one, ast.Name)}


@cached_on_node
def none_defaults(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The parameters whose default is None."""
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args]
    pairs = [*zip(reversed(positional), reversed(spec.defaults), strict=False)]
    pairs += [(one, value) for one, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value is not None]
    return frozenset(one.arg for one, value in pairs if isinstance(value, ast.Constant) and value.value is None)


def _tested(test: ast.expr) -> str:
    """The variable whose value decides `x`, `not x`, `x is None` or `x is not None`; else empty."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot)) and len(test.ops) == 1:
        other = test.comparators[0]
        test = test.left if isinstance(other, ast.Constant) and other.value is None else test
    return test.id if isinstance(test, ast.Name) else ""


def _assigns_or_ends(node: ast.If | ast.IfExp, name: str) -> bool:
    """Whether one of the branches gives the variable another value, or does not go on."""
    for one in _inside(node):
        if isinstance(one, (ast.Raise, ast.Return, ast.Continue, ast.Break)):
            return True
        if isinstance(one, ast.Name) and one.id == name and not isinstance(one.ctx, ast.Load):
            return True
    return False


def _inside(node: ast.If | ast.IfExp) -> Iterator[ast.AST]:
    for part in (node.body, node.orelse):
        for one in part if isinstance(part, list) else (part,):
            yield from walk(one)
