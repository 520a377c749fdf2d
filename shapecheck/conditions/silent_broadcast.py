"""`(n,) - (n, 1)`: both operands are broadcast, so that the result has every pair, without a sign of intent.

It is intended if the operands share no size, if axes were inserted on both sides, if a tensor is paired with itself, or
if the source states the shape of the result. One inserted axis is enough for a product or a comparison by order,
but not for a difference: `x[:, None] - y` of the same `n` is reported. Behind dimensions of unknown number it is always
enough.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Flag, auto
from typing import Final, NamedTuple, Protocol

from shapecheck.conditions.intent import Intent, mentions_pairs
from shapecheck.conditions.operand import Operand, is_floating
from shapecheck.conditions.shared_lead import is_column_of
from shapecheck.spec import Broadcast, Dim, Shape, ShapeError, Size, broadcast, same
from shapecheck.spec.dim import is_variable

CODE: Final = "silent-broadcast"

_EQUALITIES: Final = frozenset("== != eq ne not_equal".split())
"""Unlike these, other operators are intended for all pairs if an axis was inserted: `rank[:, None] >= other`."""
_RESHAPED: Final = frozenset(
    "& | ^ ** bitwise_and bitwise_or bitwise_xor float_power logical_and logical_or logical_xor pow".split()
)
"""Operators whose operands are also reshaped for all pairs: `valid.view(-1, 1) & other`, `x.view(-1, 1) ** powers`."""


class AxisSource(Flag):
    """Kinds of operators that may have made a dimension of size 1."""

    BROADCASTING = auto()
    """Written to make a tensor broadcast: `unsqueeze`, `expand`, None in a subscript."""
    RESHAPING = auto()
    """May have another purpose: `view(-1, 1)`."""
    KEEPDIM = auto()
    """A reduction with `keepdim=True`."""


class Evidence(Protocol):
    """What an observer knows about the source of a call and of its operands."""

    def source(self) -> str:
        """The expression, or its line."""

    def intent(self) -> Intent:
        """What the source around the call shows."""

    def is_written(self, axis: int, sources: AxisSource) -> bool | None:
        """Whether an operator of one of these kinds made that dimension (negative) of the operand of higher rank.

        None if the observer does not record where tensors come from.
        """


class Outer(NamedTuple):
    """Two operands, each of which is broadcast along a dimension of the other."""

    operator: str
    left: Shape
    right: Shape
    result: Shape

    @property
    def message(self) -> str:
        """What the user reads."""
        return f"both operands are broadcast: {self.left} {self.operator} {self.right} -> {self.result}"


def find(operator: str, left: Operand, right: Operand, evidence: Evidence, *, is_sum: bool) -> Outer | None:
    """Two tensors of different rank that are both broadcast; `operator` is its name or its sign.

    is_sum: whether it is a sum, difference or quotient, which is reported for any floating-point operands: integers and
    bools index and mask. Any other operator, such as a product or a comparison, is reported only if the operands have
    the same items, `(n,)` and `(n, 1)`.
    """
    a, b = left.shape, right.shape
    if a.rank is None or b.rank is None:
        return _find_behind_lead(operator, left, right, evidence, is_sum=is_sum)
    if a.rank == b.rank:
        return None
    axis = _same_items(a, b)
    is_column = axis is not None and {a.rank, b.rank} == {1, 2}
    if not (_are_floating(left, right, or_unknown=is_column) if is_sum else axis is not None):
        return None
    try:
        both = broadcast(a, b)
    except ShapeError:
        return None
    if not both.outer or 0 in both.shape.dims or _share_no_size(both) or evidence.intent().covers(both.shape):
        return None
    many = max(a, b, key=len)
    if not is_column and _is_usual(evidence, many, axis, is_sum=is_sum):
        return None
    if not is_sum and operator not in _EQUALITIES and evidence.is_written(-1, _sources_of(operator)):
        return None
    return Outer(operator, a, b, both.shape)


def _sources_of(operator: str) -> AxisSource:
    is_reshaped = operator.rstrip("_") in _RESHAPED
    return AxisSource.BROADCASTING | AxisSource.RESHAPING if is_reshaped else AxisSource.BROADCASTING


def _find_behind_lead(
    operator: str, left: Operand, right: Operand, evidence: Evidence, *, is_sum: bool
) -> Outer | None:
    """`(..., 1)` and `(...)` of the same leading dimensions."""
    a, b = left.shape, right.shape
    if not (is_column_of(a, b) or is_column_of(b, a)) or (is_sum and not _are_floating(left, right, or_unknown=True)):
        return None
    if mentions_pairs(evidence.source()) or evidence.is_written(-1, AxisSource.BROADCASTING | AxisSource.RESHAPING):
        return None
    result = broadcast(a, b).shape
    intent = evidence.intent()
    return None if intent.inserts or intent.covers(result) else Outer(operator, a, b, result)


def _are_floating(left: Operand, right: Operand, *, or_unknown: bool) -> bool:
    return all(is_floating(one) or (or_unknown and one.dtype is None) for one in (left, right))


def _same_items(a: Shape, b: Shape) -> int | None:
    """Of `(n,)` and `(n, 1)`, or `(n, h, w)` and `(n, 1, h, w)`, the dimension (negative) of size 1."""
    few, many = sorted((a, b), key=len)
    if len(many) != len(few) + 1:
        return None
    for axis in range(-1, -len(many), -1):
        if many[axis] == 1 and all(map(_is_same, many.without(axis).dims, few.dims)):
            return axis
    return None


def _is_same(one: Size, other: Size) -> bool:
    return same(one, other) is True


def _share_no_size(both: Broadcast) -> bool:
    """Whether no size that one operand lacks is one that the other lacks: `(n, 1, d) - (m, d)`, `(h, w) - (k, 1, 1)`.

    Such operands cannot have been lined up in any other way. Sizes with different names count as different.
    """
    left, right = ([both.shape[axis] for axis in axes] for axes in both.expanded)
    return all(_differ(one, other) for one in left for other in right)


def _differ(one: Size, other: Size) -> bool:
    equal = same(one, other)
    return equal is False or (equal is None and (_is_named(one) or _is_named(other)))


def _is_named(size: Size) -> bool:
    return isinstance(size, Dim) and is_variable(size) and bool(size.scope)


def _is_usual(evidence: Evidence, many: Shape, axis: int | None, *, is_sum: bool) -> bool:
    """Whether the expression, or the origin of the dimension of size 1, suggests that the result is intended."""
    return mentions_pairs(evidence.source()) or _is_written(evidence, many, axis, is_sum=is_sum)


def _is_written(evidence: Evidence, many: Shape, axis: int | None, *, is_sum: bool) -> bool:
    """Whether the dimension of size 1 was written, in another statement.

    For a sum of the same items, `view(-1, 1)` or `keepdim=True` is the mistake itself; for other items it is intended.
    A product counts as intended if the origin of its operands is unknown, a sum does not.
    """
    if axis is not None:
        sources = AxisSource.BROADCASTING if is_sum else AxisSource.BROADCASTING | AxisSource.RESHAPING
        answer = evidence.is_written(axis, sources)
        return bool(answer) if is_sum else answer is not False
    axes = [index for index in range(-1, -len(many), -1) if many[index] == 1]
    return any(evidence.is_written(index, ~AxisSource(0)) for index in axes)


class Misaligned(NamedTuple):
    """A square matrix and its reduced rows, which are aligned with its columns."""

    operator: str
    matrix: Shape
    reduced: Shape

    @property
    def message(self) -> str:
        """What the user reads."""
        return (
            f"{self.matrix} {self.operator} {self.reduced} aligns the reduced rows with the columns; "
            "pass keepdim=True to the reduction"
        )


def find_misaligned(
    operator: str, matrix: Operand, reduced: Operand, is_reduced: Callable[[], bool]
) -> Misaligned | None:
    """A square matrix combined with itself, reduced along the last dimension: `x / x.sum(1)`.

    For other sizes torch raises an error. is_reduced: whether the second operand is the first one, reduced along its
    last dimension; only an observer that records origins knows.
    """
    a, b = matrix.shape, reduced.shape
    if a.rank != 2 or b.rank != 1 or not is_floating(matrix):
        return None
    if not (_is_same(a[0], a[1]) and _is_same(a[0], b[0]) and is_reduced()):
        return None
    return Misaligned(operator, a, b)
