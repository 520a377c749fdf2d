"""Comparisons: `<`, `==`, `is`, `in`; Unknown if undecided."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, DType, Size, TensorSpec, at_least, same, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, OpenShape
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.class_identity import has_identity, same_class
from shapecheck.static.domain.enums import same_member
from shapecheck.static.domain.objects import ClassValue, DictValue, FunctionValue, ListValue
from shapecheck.static.domain.values import EnumMember, ExternalReference, NamedTupleClass, TypeOf
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.hooks import AbstractComparison
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.engine.run import Run
from shapecheck.static.expressions.operators import of_numbers
from shapecheck.static.models.numpy.module import with_arrays
from shapecheck.static.models.python.dicts import contains
from shapecheck.static.models.python.versions import TORCH, version_of

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
_IDENTIFIED = (ExternalReference, ClassValue, FunctionValue, NamedTupleClass, TypeOf)
_PRIMITIVES = (bool, int, float, complex, str, bytes, type(None))


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
    if isinstance(left, _PRIMITIVES) and isinstance(right, _PRIMITIVES):
        return of_numbers(function, left, right)
    if symbol in ("==", "!="):
        equal = _equal(left, right)
        return Unknown("comparison with unknown result") if equal is None else equal is (symbol == "==")
    left, right = _as_size(left), _as_size(right)
    if isinstance(left, (int, Dim)) and isinstance(right, (int, Dim)):
        return _ordered(symbol, left, right)
    if TORCH in (left, right):
        left, right = version_of(left), version_of(right)
    if type(left) is tuple and type(right) is tuple:
        return _ordered_tuples(op, left, right)
    return Unknown("comparison with unknown result")


def _as_size(value: Value) -> Value:
    """An unknown rank as a size with a lower bound, and a member of an IntEnum as its number."""
    if isinstance(value, EnumMember) and value.is_plain and isinstance(value.value, int):
        return value.value
    return unknown("rank", low=value.least) if isinstance(value, OpenShape) else value


def _ordered_tuples(op: ast.cmpop, left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
    """Compares tuples by the first items that differ."""
    for one, other in zip(left, right, strict=False):
        equal = _equal(one, other)
        if equal is None:
            return Unknown("comparison with unknown result")
        if not equal:
            return _compare_plain(ast.Lt() if isinstance(op, (ast.Lt, ast.LtE)) else ast.Gt(), one, other)
    return _compare_plain(op, len(left), len(right))


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
    if type(left) in (tuple, OpenShape) and type(right) is tuple:
        return _equal_tuples(left, right, depth)
    left, right = _as_size(left), _as_size(right)
    if isinstance(left, (int, Dim)) and isinstance(right, (int, Dim)):
        return same(left, right)
    constants = _same_constant(left, right)
    if constants is not None:
        return constants
    if isinstance(left, _IDENTIFIED) or isinstance(right, _IDENTIFIED):
        one, other = (left, right) if isinstance(left, _IDENTIFIED) else (right, left)
        return False if isinstance(other, _PRIMITIVES) and has_identity(one) else same_class(one, other)
    if isinstance(left, EnumMember) or isinstance(right, EnumMember):
        return same_member(left, right)
    if isinstance(left, _PRIMITIVES) and isinstance(right, _PRIMITIVES):
        return bool(left == right)
    return None


def _equal_tuples(left: Value, right: tuple[Value, ...], depth: int) -> bool | None:
    """Whether a tuple, or a shape of unknown rank, equals another tuple."""
    if depth > _MAX_NESTED:
        return None
    if isinstance(left, OpenShape):
        return False if len(right) < left.least else None
    if type(left) is not tuple or len(left) != len(right):
        return False
    verdicts = [_equal(a, b, depth + 1) for a, b in zip(left, right, strict=True)]
    return False if False in verdicts else None if None in verdicts else True


def _same_constant(left: Value, right: Value) -> bool | None:
    """Whether two dtypes, layouts or memory formats are the same; None if unknown, or if they are something else."""
    if isinstance(left, DType) or isinstance(right, DType):
        one, other = to_ops(left), to_ops(right)
        return one is other if isinstance(one, DType) and isinstance(other, DType) else None
    if not isinstance(left, ExternalReference) or not isinstance(right, ExternalReference):
        return None
    return left == right if left.name in _FORMATS and right.name in _FORMATS else None


_FORMAT_NAMES = """
    strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc jagged contiguous_format preserve_format
    channels_last channels_last_3d
""".split()
_FORMATS = frozenset(f"torch.{name}" for name in _FORMAT_NAMES)
"""Layouts and memory formats: two names are two values."""


def _is(op: ast.cmpop, left: Value, right: Value) -> Value:
    verdict = same_member(left, right) if isinstance(left, EnumMember) else _same_constant(left, right)
    if verdict is None and isinstance(left, _IDENTIFIED) and right is not None:
        verdict = same_class(left, right)
    if verdict is not None:
        return verdict is isinstance(op, ast.Is)
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
