"""`(n,) - (n, 1)`: both sides expand, so that the result has every pair, and nothing shows that this is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final, Protocol

from shapecheck.conditions.intent import asks_for_pairs
from shapecheck.conditions.operand import Operand, is_floating
from shapecheck.spec import Broadcast, Shape, ShapeError, Size, broadcast, same

CODE: Final = "silent-broadcast"


class AxisSource(Flag):
    """Kinds of operators that may have made an axis of size 1."""

    BROADCASTING = auto()
    """Written to make a tensor broadcast: `unsqueeze`, `expand`, None in a subscript."""
    RESHAPING = auto()
    """Written for that, or for another reason: `view(-1, 1)`."""
    KEEPDIM = auto()
    """A reduction with `keepdim=True`."""


class Evidence(Protocol):
    """What an observer knows about the source of a call and of its operands."""

    def source(self) -> str:
        """The expression, or its line."""

    def is_written(self, axis: int, sources: AxisSource) -> bool | None:
        """Whether an operator of one of these kinds made that axis (negative) of the operand of higher rank.

        None if the observer does not record where tensors come from.
        """


@dataclass(frozen=True, slots=True)
class Outer:
    """Each of two operands expands an axis of the other."""

    operator: str
    left: Shape
    right: Shape
    result: Shape

    @property
    def message(self) -> str:
        """What the user reads."""
        return f"{self.left} {self.operator} {self.right} broadcasts to {self.result}: both sides are expanded"


def find(operator: str, left: Operand, right: Operand, evidence: Evidence, *, is_sum: bool) -> Outer | None:
    """Two tensors of different rank that both expand; `operator` is its name or its sign.

    is_sum: whether it is a sum, difference or quotient, whose outer result is a mistake if both operands are floating.
    The outer result of any other operator, such as a product or a comparison, may be deliberate; if the operands are
    `(n,)` and `(n, 1)`, so the same items, it is not.
    """
    a, b = left.shape, right.shape
    if a.rank is None or b.rank is None or a.rank == b.rank:
        return None
    axis = _same_items(a, b)
    if not (is_floating(left) and is_floating(right) if is_sum else axis is not None):
        return None
    try:
        both = broadcast(a, b)
    except ShapeError:
        return None
    if not both.outer or 0 in both.shape.dims or _compares_vectors(a, b, both):
        return None
    if asks_for_pairs(evidence.source()) or _is_written(evidence, max(a, b, key=len), axis, is_sum=is_sum):
        return None
    return Outer(operator, a, b, both.shape)


def _same_items(a: Shape, b: Shape) -> int | None:
    """Of `(n,)` and `(n, 1)`, or `(n, h, w)` and `(n, 1, h, w)`, the axis (negative) of size 1."""
    few, many = sorted((a, b), key=len)
    if len(many) != len(few) + 1:
        return None
    for axis in range(-1, -len(many), -1):
        if many[axis] == 1 and all(map(_is_same, many.without(axis).dims, few.dims)):
            return axis
    return None


def _is_same(one: Size, other: Size) -> bool:
    return same(one, other) is True


def _compares_vectors(a: Shape, b: Shape, both: Broadcast) -> bool:
    """Whether vectors of one length are compared, those of one set with those of another: `(n, 1, d) - (m, d)`.

    The sets must be known to differ in size: of equal sizes it is the same items that are lined up wrongly.
    """
    if not a.rank or not b.rank or a[-1] == 1 or not _is_same(a[-1], b[-1]):
        return False
    left, right = ([both.shape[axis] for axis in axes] for axes in both.expanded)
    return all(same(one, other) is False for one in left for other in right)


def _is_written(evidence: Evidence, many: Shape, axis: int | None, *, is_sum: bool) -> bool:
    """Whether the axis of size 1 was written, in another statement.

    Of the same items a sum by `view(-1, 1)` or `keepdim=True` is the mistake itself, of others it is meant. A product
    counts as meant where the origin of its operands is unknown, a sum does not.
    """
    if axis is not None:
        sources = AxisSource.BROADCASTING if is_sum else AxisSource.BROADCASTING | AxisSource.RESHAPING
        answer = evidence.is_written(axis, sources)
        return bool(answer) if is_sum else answer is not False
    axes = [index for index in range(-1, -len(many), -1) if many[index] == 1]
    return any(evidence.is_written(index, ~AxisSource(0)) for index in axes)


@dataclass(frozen=True, slots=True)
class Misaligned:
    """A square matrix meets what is left of its rows, lined up with its columns."""

    operator: str
    matrix: Shape
    reduced: Shape

    @property
    def message(self) -> str:
        """What the user reads."""
        return (
            f"{self.matrix} {self.operator} {self.reduced}: the reduced axis is the last one, and the result is lined "
            "up with it; write keepdim=True in the reduction"
        )


def find_misaligned(
    operator: str, matrix: Operand, reduced: Operand, is_reduced: Callable[[], bool]
) -> Misaligned | None:
    """A matrix of equal sizes against what is left of itself once its last axis is reduced: `x / x.sum(1)`.

    For other sizes torch raises an error. is_reduced: whether the second operand is the first one, reduced along its
    last axis; only an observer that records origins can tell.
    """
    a, b = matrix.shape, reduced.shape
    if a.rank != 2 or b.rank != 1 or not is_floating(matrix):
        return None
    if not (_is_same(a[0], a[1]) and _is_same(a[0], b[0]) and is_reduced()):
        return None
    return Misaligned(operator, a, b)
