"""`(b, c, h * w) + (b, h * w, c)`: code that works only if two dimensions of one argument are equal.

Both sizes belong to a tensor that a function received, so they have nothing to do with each other, and what is
computed from them neither: `t` meets `d // heads` if queries and keys are multiplied in the other order. Images and
matrices may be square, so nothing is said if it is enough that the last two dimensions are equal, nor of an argument
that is added to itself in another order: it is symmetric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Final

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Size, TensorSpec, same, substitute
from shapecheck.spec.dim import is_variable, variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._arguments import given_tensors
from shapecheck.static.rules._named_sizes import have_other_names
from shapecheck.static.rules._operand_pairs import ALIGNING, operand_pairs

_CODE: Final = "shape-mismatch"
_LEAST_RANK = 3
_Pair = tuple[Size, Size]


@before(_CODE, *ALIGNING)
def of_operands(call: AbstractCall) -> None:
    """Reports two operands of an elementwise operator."""
    for one, other in operand_pairs(call):
        _report(call, one, other)


@before(_CODE, "matmul", "bmm", "@")
def of_product(call: AbstractCall) -> Value | None:
    """Reports the operands of a product of batches of matrices, whose sizes must not be taken for equal then."""
    if len(call.args) < 2 or not _report(call, call.args[0], call.args[1], is_product=True):
        return None
    return Unknown("a product of operands that do not match")


def _report(call: AbstractCall, one: Value, other: Value, *, is_product: bool = False) -> bool:
    if not isinstance(one, TensorSpec) or not isinstance(other, TensorSpec) or not one.rank or not other.rank:
        return False
    if max(one.rank, other.rank) < _LEAST_RANK or mark_of(one) is not None or mark_of(other) is not None:
        return False
    if not is_product and any(_is_transposed_argument(call.run, operand) for operand in (one, other)):
        return False
    pairs = _multiplied(one, other) if is_product else _aligned(one, other)
    for left, right in pairs:
        if have_other_names(left, right) and _are_of_one_argument(call.run, left, right):
            verb = "multiply" if is_product else "broadcast"
            shapes = f"cannot {verb} {one.shape} and {other.shape} unless {left} and {right} are equal"
            why = partial(conflict_notes, call.run, call.node, call.name, (one, other), {})
            causes = partial(causes_of_pair, call.run, call.node, one, other)
            call.run.report(_CODE, call.node, f"{call.name}: {shapes}", why, causes)
            return True
    return False


def _is_transposed_argument(run: Run, operand: TensorSpec) -> bool:
    """Whether an operand has the dimensions of an argument in another order: `x + x.permute(1, 0, 2)` symmetrizes x."""
    return any(
        value.rank == operand.rank and value.dims != operand.dims and Counter(value.dims) == Counter(operand.dims)
        for value in given_tensors(run)
    )


def _aligned(one: TensorSpec, other: TensorSpec) -> Iterator[_Pair]:
    return zip(reversed(one.dims), reversed(other.dims), strict=False)


def _multiplied(one: TensorSpec, other: TensorSpec) -> Iterator[_Pair]:
    """The sizes that a product sums over, and those of the batches."""
    if len(one.dims) > 1 and len(other.dims) > 1:
        yield one.dims[-1], other.dims[-2]
        yield from zip(reversed(one.dims[:-2]), reversed(other.dims[:-2]), strict=False)


def _are_of_one_argument(run: Run, left: Size, right: Size) -> bool:
    """Whether a tensor that an active call received has a dimension of each, and more than a square is needed."""
    first, second = variables(left), variables(right)
    if not first.isdisjoint(second):
        return False
    return any(
        value.rank is not None and _need_equal(value.dims, (left, right), one, other)
        for value in given_tensors(run)
        for one, other in product(first, second)
    )


def _need_equal(sizes: tuple[Size, ...], pair: _Pair, one: Dim, other: Dim) -> bool:
    """Whether these are two dimensions of an argument, and a square of its last two would not be enough."""
    places = [[at for at, size in enumerate(sizes) if name in variables(size)] for name in (one, other)]
    if any(len(found) != 1 for found in places) or places[0] == places[1]:
        return False
    if min(places)[0] < len(sizes) - 2:
        return all(is_variable(size) or size in sizes for size in pair)
    left, right = (substitute(size, {one: other}) for size in pair)
    return same(left, right) is not True
