"""Comparisons: `<`, `==`, `is`, `in`; Unknown if undecided."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Size, TensorSpec, at_least, same
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.enums import same_member
from shapecheck.static.domain.objects import ClassValue, DictValue, ListValue
from shapecheck.static.domain.values import EnumMember, ExternalReference
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.expressions.operators import of_numbers
from shapecheck.static.models.numpy.module import with_arrays
from shapecheck.static.models.python.dicts import contains

_COMPARE: dict[type[ast.cmpop], tuple[str, Callable[..., Value]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
}
_PRIMITIVES = (bool, int, float, complex, str, bytes, type(None))


def compare(run: Run, node: ast.Compare) -> Value:
    """Evaluates `a < b <= c`."""
    left = evaluate(run, node.left)
    verdict: Value = True
    for op, one in zip(node.ops, node.comparators, strict=True):
        right = evaluate(run, one)
        verdict = _compare_pair(run, node, op, left, right)
        if verdict is not True:
            return verdict
        left = right
    return verdict


def _compare_pair(run: Run, node: ast.Compare, op: ast.cmpop, left: Value, right: Value) -> Value:
    if type(left) is Alternatives or type(right) is Alternatives:
        return map_alternatives(run, partial(_compare_pair, run, node, op), left, right)
    if isinstance(op, (ast.Is, ast.IsNot)):
        return _is(op, left, right)
    if isinstance(op, (ast.In, ast.NotIn)):
        return _in(op, left, right)
    symbol = _COMPARE[type(op)][0]
    if isinstance(left, ArraySpec) or isinstance(right, ArraySpec):
        return with_arrays(run, node, symbol, left, right)
    if isinstance(left, TensorSpec) or isinstance(right, TensorSpec):
        if left is None or right is None or isinstance(left, str) or isinstance(right, str):
            return Unknown("comparison of a tensor with another value")
        return dispatch.torch_call(run, node, symbol, (left, right), {})
    return _compare_plain(op, left, right)


def _compare_plain(op: ast.cmpop, left: Value, right: Value) -> Value:
    """A comparison in which neither side is a tensor or an array."""
    symbol, function = _COMPARE[type(op)]
    if isinstance(left, _PRIMITIVES) and isinstance(right, _PRIMITIVES):
        return of_numbers(function, left, right)
    if symbol in ("==", "!="):
        equal = _equal(left, right)
        return Unknown("comparison with unknown result") if equal is None else equal is (symbol == "==")
    if isinstance(left, (int, Dim)) and isinstance(right, (int, Dim)):
        return _ordered(symbol, left, right)
    return Unknown("comparison with unknown result")


def _ordered(symbol: str, left: Size, right: Size) -> Value:
    """Compares sizes by their bounds; Unknown if those do not decide it."""
    verdict = at_least(left, right) if symbol in ("<", ">=") else at_least(right, left)
    if verdict is None:
        return Unknown("comparison with unknown result")
    return verdict is (symbol in ("<=", ">="))


_MAX_NESTED = 8
"""How deep lists and tuples may be nested; a list may contain itself."""


def _equal(left: Value, right: Value, depth: int = 0) -> bool | None:
    if isinstance(left, ListValue) and isinstance(right, ListValue) and not left.lost and not right.lost:
        left, right = left.items, right.items
    if type(left) is tuple and type(right) is tuple:
        if len(left) != len(right):
            return False
        if depth > _MAX_NESTED:
            return None
        verdicts = [_equal(a, b, depth + 1) for a, b in zip(left, right, strict=True)]
        return False if False in verdicts else None if None in verdicts else True
    if isinstance(left, (int, Dim)) and isinstance(right, (int, Dim)):
        return same(left, right)
    if isinstance(left, (ExternalReference, ClassValue)):
        return _same_type(left, right)
    if isinstance(left, EnumMember) or isinstance(right, EnumMember):
        return same_member(left, right)
    if isinstance(left, _PRIMITIVES) and isinstance(right, _PRIMITIVES):
        return bool(left == right)
    return None


def _same_type(left: Value, right: Value) -> bool | None:
    """Whether two types are the same, None if unknown: external types may have several names."""
    if isinstance(left, ClassValue) or isinstance(right, ClassValue):
        return left is right if isinstance(left, _TYPES) and isinstance(right, _TYPES) else None
    if not isinstance(left, ExternalReference) or not isinstance(right, ExternalReference):
        return None
    if left == right:
        return True
    return False if left.name.startswith("builtins.") and right.name.startswith("builtins.") else None


_TYPES = (ClassValue, ExternalReference)


def _is(op: ast.cmpop, left: Value, right: Value) -> Value:
    same_type = same_member(left, right) if isinstance(left, EnumMember) else _same_type(left, right)
    if same_type is not None:
        return same_type is isinstance(op, ast.Is)
    if right is not None and not isinstance(right, bool):
        return Unknown("identity with unknown result")
    if isinstance(left, Unknown):
        return Unknown("a value that may be None")
    return (left is right) is isinstance(op, ast.Is)


def _in(op: ast.cmpop, left: Value, right: Value) -> Value:
    if isinstance(right, DictValue) and (found := contains(right, left)) is not None:
        return found is isinstance(op, ast.In)
    items = items_of(right)
    if isinstance(right, str) and isinstance(left, str):
        return (left in right) is isinstance(op, ast.In)
    verdicts = [None] if items is None else [_equal(left, one) for one in items]
    if True not in verdicts and None in verdicts:
        return Unknown("membership test with unknown result")
    return (True in verdicts) is isinstance(op, ast.In)
