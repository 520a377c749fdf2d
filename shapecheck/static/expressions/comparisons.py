"""Comparisons: `<`, `==`, `is`, `in`; Unknown if undecided."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Size, TensorSpec, at_least
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.objects import DictValue
from shapecheck.static.domain.symbolic_argument import part_of
from shapecheck.static.domain.unknown_options import result_of
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.equality import PRIMITIVES, as_size, equal, identical, is_member
from shapecheck.static.engine.hooks import AbstractComparison
from shapecheck.static.engine.run import Run
from shapecheck.static.expressions.operators import of_numbers
from shapecheck.static.models.numpy.module import with_arrays
from shapecheck.static.models.python.dicts import contains
from shapecheck.static.models.python.versions import TORCH, version_of
from shapecheck.static.operators.truth_values import report_ambiguous

_COMPARE: dict[type[ast.cmpop], tuple[str, Callable[..., Value]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
}
_EQUALITIES: dict[type[ast.cmpop], str] = {ast.Eq: "==", ast.NotEq: "!=", ast.In: "in", ast.NotIn: "not in"}
"""The operators about which rules are asked."""


def compare(run: Run, node: ast.Compare) -> Value:
    """Evaluates `a < b <= c`."""
    left, place = evaluate(run, node.left), node.left
    verdict: Value = True
    for op, one in zip(node.ops, node.comparators, strict=True):
        right = evaluate(run, one)
        for rule in run.rules.compared.get(_EQUALITIES.get(type(op), "")):
            rule(AbstractComparison(run, node, _EQUALITIES[type(op)], place, one, (left, right)))
        verdict = _compare_pair(run, node, op, left, right)
        if verdict is not True:
            if one is not node.comparators[-1]:
                report_ambiguous(run, node, verdict)
            return verdict
        left, place = right, one
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
    if isinstance(left, PRIMITIVES) and isinstance(right, PRIMITIVES):
        return of_numbers(function, left, right)
    if symbol in ("==", "!="):
        verdict = equal(left, right)
        if verdict is None:
            return _undecided(left, right)
        return verdict is (symbol == "==")
    left, right = as_size(left), as_size(right)
    if isinstance(left, (int, Dim)) and isinstance(right, (int, Dim)):
        return _ordered(symbol, left, right)
    if TORCH in (left, right):
        left, right = version_of(left), version_of(right)
    if type(left) is tuple and type(right) is tuple:
        return _ordered_tuples(op, left, right)
    return _undecided(left, right)


def _undecided(left: Value, right: Value) -> Value:
    """A comparison with unknown result: a mask, if what is compared with a number is a tensor."""
    for one, other in ((left, right), (right, left)):
        mask = part_of(one) if isinstance(other, (int, float)) else None
        if mask is not None:
            return mask
    return result_of(left, right, reason="comparison with unknown result")


def _ordered_tuples(op: ast.cmpop, left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
    """Compares tuples by the first items that differ."""
    for one, other in zip(left, right, strict=False):
        verdict = equal(one, other)
        if verdict is None:
            return Unknown("comparison with unknown result")
        if not verdict:
            return _compare_plain(ast.Lt() if isinstance(op, (ast.Lt, ast.LtE)) else ast.Gt(), one, other)
    return _compare_plain(op, len(left), len(right))


def _ordered(symbol: str, left: Size, right: Size) -> Value:
    """Compares sizes by their bounds; Unknown if those do not decide it."""
    verdict = at_least(left, right) if symbol in ("<", ">=") else at_least(right, left)
    if verdict is None:
        return Unknown("comparison with unknown result")
    return verdict is (symbol in ("<=", ">="))


def _is(op: ast.cmpop, left: Value, right: Value) -> Value:
    verdict = identical(left, right)
    if verdict is not None:
        return verdict is isinstance(op, ast.Is)
    reason = "a value that may be None" if right is None else "identity with unknown result"
    return result_of(left, right, reason=reason)


def _in(op: ast.cmpop, left: Value, right: Value) -> Value:
    found = contains(right, left) if isinstance(right, DictValue) else None
    if found is None:
        found = is_member(left, right)
    if found is None:
        return result_of(left, right, reason="membership test with unknown result")
    return found is isinstance(op, ast.In)
