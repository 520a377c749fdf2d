"""Statements of a function that test one condition twice: `if c: ...`, some statements, and again `if c: ...`.

They are grouped into one statement, so that what both bodies do is run together. The condition must have the same
outcome each time: it reads names that the statements do not bind and values that they do not mutate.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk

_MOST_NODES = 400
"""How many nodes the statements of a group may have, because they are run three times."""
_LEAVING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.ClassDef)
_OPERATORS = (ast.boolop, ast.cmpop, ast.unaryop, ast.operator, ast.expr_context)
_VALUES = (ast.Name, ast.Constant, ast.Subscript, ast.Tuple)
_PARTS = (*_VALUES, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, *_OPERATORS)
_PURE_FUNCTIONS = frozenset(("len", "isinstance", "is_tensor"))
_PURE_METHODS = frozenset(("dim", "size", "ndimension", "numel"))
_PURE_ATTRIBUTES = frozenset(("shape", "ndim", "dtype", "is_cuda"))
_MUTATING = frozenset(
    """
    append appendleft add clear discard extend extendleft insert pop popitem popleft remove reverse rotate setdefault
    sort update
    """.split()
)
_OPPOSITES = {ast.IsNot: ast.Is, ast.NotEq: ast.Eq, ast.NotIn: ast.In}


class CorrelatedIfs(ast.stmt):
    """A group: its first and last statements are an `if` with the same test."""

    _fields = ()

    def __init__(self, statements: Sequence[ast.stmt], key: str) -> None:
        super().__init__()
        self.statements = tuple(statements)
        self.key = key
        ast.copy_location(self, statements[0])

    @property
    def first(self) -> ast.If:
        """The `if` that decides."""
        assert isinstance(self.statements[0], ast.If)
        return self.statements[0]

    def outcome(self, node: ast.stmt, holds: bool) -> bool | None:
        """The outcome of the test of one of its statements, given that of the first; None for a different test."""
        if not isinstance(node, ast.If):
            return None
        key, negated = condition_key(node.test)
        return (holds ^ condition_key(self.first.test)[1] ^ negated) if key == self.key else None


@cached_on_node
def condition_key(test: ast.expr) -> tuple[str, bool]:
    """The text of a condition, and whether it is negated: `x is not None` is the negation of `x is None`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        key, negated = condition_key(test.operand)
        return key, not negated
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and (opposite := _OPPOSITES.get(type(test.ops[0]))):
        return ast.unparse(ast.Compare(test.left, [opposite()], test.comparators)), True
    return ast.unparse(test), False


@cached_on_node
def grouped_body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """The statements of a function, with the groups among them."""
    body = function.body
    if sum(isinstance(one, ast.If) for one in body) < 2:
        return body
    found: list[ast.stmt] = []
    index = 0
    while index < len(body):
        last = _last_of_group(body, index)
        if last is None:
            found.append(body[index])
            index += 1
        else:
            test = body[index]
            assert isinstance(test, ast.If)
            found.append(CorrelatedIfs(body[index : last + 1], condition_key(test.test)[0]))
            index = last + 1
    return found


@cached_on_node
def attributes_read(test: ast.expr) -> frozenset[str]:
    """The attributes of names that a condition reads, except for those of tensors."""
    every = (one for one in walk(test) if isinstance(one, ast.Attribute))
    return frozenset(one.attr for one in every if one.attr not in _PURE_ATTRIBUTES | _PURE_METHODS | _PURE_FUNCTIONS)


def _last_of_group(body: Sequence[ast.stmt], start: int) -> int | None:
    first = body[start]
    if not isinstance(first, ast.If) or not _is_pure(first.test):
        return None
    key = condition_key(first.test)[0]
    again = [
        index
        for index, one in enumerate(body[start + 1 :], start + 1)
        if isinstance(one, ast.If) and condition_key(one.test)[0] == key
    ]
    return next((last for last in reversed(again) if _is_fixed(first.test, body[start : last + 1])), None)


def _is_pure(node: ast.expr) -> bool:
    """Whether a condition reads local names only, by operations without effects."""
    return all(map(_is_pure_part, walk(node)))


def _is_pure_part(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute):
            return function.attr in _PURE_METHODS | _PURE_FUNCTIONS and not node.keywords
        return isinstance(function, ast.Name) and function.id in _PURE_FUNCTIONS
    if isinstance(node, ast.Attribute):
        return node.attr in _PURE_ATTRIBUTES | _PURE_METHODS or isinstance(node.value, ast.Name)
    return isinstance(node, _PARTS)


def _is_fixed(test: ast.expr, statements: Sequence[ast.stmt]) -> bool:
    """Whether the statements neither bind nor mutate what a condition reads, nor leave the function."""
    names = {one.id for one in walk(test) if isinstance(one, ast.Name)}
    attributes = {one.attr for one in walk(test) if isinstance(one, ast.Attribute)}
    nodes = [one for statement in statements for one in walk(statement)]
    last = {id(one) for part in (statements[-1],) for one in walk(part)}
    if len(nodes) > _MOST_NODES or any(isinstance(one, _LEAVING) for one in nodes if id(one) not in last):
        return False
    changed = {name for one in nodes if id(one) not in last for name in _changed_by(one)}
    return changed.isdisjoint(names | attributes)


def _changed_by(node: ast.AST) -> Iterator[str]:
    """The names and attributes that a node binds, or whose value it mutates."""
    if isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        yield node.id if isinstance(node, ast.Name) else node.attr
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        yield from _held(node.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_mutating(node.func.attr):
        yield from _held(node.func.value)


def _is_mutating(method: str) -> bool:
    return method in _MUTATING or (method.endswith("_") and not method.startswith("_"))


def _held(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
