"""Which parameters of a forward are tensors, as far as their uses show: for the shares of complete signatures."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache


def is_no_tensor(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Whether a parameter is used in a way in which no tensor is used."""
    if any(_excludes_tensor(one, name) for one in ast.walk(function)):
        return True
    items = set(_items(function, name))
    return any(_reads_key(one, item) for item in items for one in ast.walk(function))


def _excludes_tensor(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Attribute):
        return _is(node.value, name) and node.attr not in _attributes()
    if isinstance(node, ast.Subscript):
        return _reads_key(node, name)
    if isinstance(node, ast.Call):
        return (
            _counts_to(node, name)
            or _is(node.func, name)
            or any(one.arg is None and _is(one.value, name) for one in node.keywords)
        )
    if isinstance(node, ast.Compare):
        texts = [one for one in node.comparators if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        return bool(texts) and _is(node.left, name)
    return any(_is(one, name) for one in _tested(node))


def _counts_to(node: ast.Call, name: str) -> bool:
    """Whether a call such as `range(name)` or `torch.arange(1 - name, name)` counts from or to a parameter."""
    called = ast.unparse(node.func).rpartition(".")[2]
    bounds = node.args if called in {"range", "arange"} else []
    return any(_is(part, name) for one in bounds for part in _terms(one))


def _terms(node: ast.expr) -> Iterator[ast.expr]:
    """The operands of arithmetic."""
    if isinstance(node, ast.BinOp):
        yield from _terms(node.left)
        yield from _terms(node.right)
    elif isinstance(node, ast.UnaryOp):
        yield from _terms(node.operand)
    else:
        yield node


def _tested(node: ast.AST) -> Iterator[ast.expr]:
    """What a statement or an expression tests for truth."""
    tests = [node.test] if isinstance(node, (ast.If, ast.IfExp, ast.While)) else []
    while tests:
        one = tests.pop()
        if isinstance(one, ast.BoolOp):
            tests += one.values
        elif isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not):
            tests.append(one.operand)
        else:
            yield one


def _items(function: ast.AST, name: str) -> Iterator[str]:
    """The variables of loops over a parameter."""
    for one in ast.walk(function):
        if isinstance(one, (ast.For, ast.comprehension)) and _is(one.iter, name) and isinstance(one.target, ast.Name):
            yield one.target.id


def _reads_key(node: ast.AST, name: str) -> bool:
    """Whether an expression reads a key of a dict."""
    if not isinstance(node, ast.Subscript) or not _is(node.value, name):
        return False
    return isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


@cache
def _attributes() -> frozenset[str]:
    import torch  # noqa: PLC0415 - it takes a second to import

    return frozenset(dir(torch.Tensor))
