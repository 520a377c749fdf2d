"""`q @ k.transpose(-2, -1)` of a q of shape (b, h, t, d) and a k of shape (b, t, h, d): the heads meet the tokens.

The product of batches needs equal numbers of heads and tokens, which a caller may have by chance. Both operands have
both sizes, so one of them was not transposed, or transposed in another way. `v @ attention` is the same mistake: the
features meet the tokens, and the operands match in the other order. So is `q @ k`, where they match if k is transposed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Size, TensorSpec, same
from shapecheck.spec.dim import has_unnamed
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes

_CODE: Final = "shape-mismatch"
Sizes = tuple[Size, ...]

_LEAST_RANK = 3
"""Of products of batches."""


class _Mistake(NamedTuple):
    """Why operands may not match."""

    sizes: Callable[[Sizes, Sizes], Iterator[tuple[Size, Size]]]
    """The sizes that must be equal."""
    subject: str = ""
    hint: str = ""


@before(_CODE, "matmul", "bmm", "@")
def of_product(call: AbstractCall) -> Value | None:
    """Reports the operands of a product of batches of matrices."""
    return _first(_reported(call, call.args[:2], mistake) for mistake in _MISTAKES)


@before(_CODE, "scaled_dot_product_attention")
def of_attention(call: AbstractCall) -> Value | None:
    """Reports queries and keys, or keys and values."""
    query, key, value = (call.argument(index, name) for index, name in enumerate(("query", "key", "value")))
    pairs = ((query, key, _EXCHANGED), (key, value, _EXCHANGED), (query, key, _OTHER_FEATURES))
    return _first(_reported(call, (one, other), mistake) for one, other, mistake in pairs)


def _first(found: Iterator[Value | None]) -> Value | None:
    return next((one for one in found if one is not None), None)


def _reported(call: AbstractCall, operands: tuple[Value, ...], mistake: _Mistake) -> Value | None:
    one, other = operands if len(operands) == 2 else (None, None)
    if not isinstance(one, TensorSpec) or not isinstance(other, TensorSpec) or call.run.inputs is None:
        return None
    if not one.rank or one.rank != other.rank or one.rank < _LEAST_RANK or mark_of(one) or mark_of(other):
        return None
    inputs = call.run.inputs.sizes
    for left, right in mistake.sizes(tuple(one.dims), tuple(other.dims)):
        if (left in inputs) != (right in inputs):  # two sizes of the model, or of an argument, may always be equal
            why = partial(conflict_notes, call.run, call.node, call.name, (one, other), {})
            causes = partial(causes_of_pair, call.run, call.node, one, other)
            shapes = f"{mistake.subject}{one.shape} and {other.shape} do not match unless {left} and {right} are equal"
            call.run.report(_CODE, call.node, f"{call.name}: {shapes}{mistake.hint}", why, causes)
            return Unknown("a product of batches that do not match")
    return None


def _in_wrong_order(one: Sizes, other: Sizes) -> Iterator[tuple[Size, Size]]:
    """The sizes that meet in a product with square matrices, if they differ and the other order fits."""
    is_square = one[-1] == one[-2] or other[-1] == other[-2]
    fits = one[-2] == other[-1] and not any(map(_differ, one[:-2], other[:-2]))
    if is_square and fits and _differ(one[-1], other[-2]):
        yield one[-1], other[-2]


def _not_transposed(one: Sizes, other: Sizes) -> Iterator[tuple[Size, Size]]:
    """The sizes that meet in a product, if they differ and the second operand fits when it is transposed."""
    fits = one[-1] == other[-1] and not any(map(_differ, one[:-2], other[:-2]))
    if fits and _differ(one[-1], other[-2]):
        yield one[-1], other[-2]


def _features_elsewhere(one: Sizes, other: Sizes) -> Iterator[tuple[Size, Size]]:
    """The features of queries and keys, if they differ and those of the queries are the dimension before."""
    if one[-1] == other[-2] and not any(map(_differ, one[:-2], other[:-2])) and _differ(one[-1], other[-1]):
        yield one[-1], other[-1]


def _exchanged(one: Sizes, other: Sizes) -> Iterator[tuple[Size, Size]]:
    """The different sizes in one batch dimension of the operands, each of which the other operand has elsewhere."""
    for at, (left, right) in enumerate(zip(one[:-2], other[:-2], strict=True)):
        if _differ(left, right):
            rest, others = (*one[:at], *one[at + 1 :]), (*other[:at], *other[at + 1 :])
            if right in rest and left in others and left not in rest and right not in others:
                yield left, right


def _differ(size: Size, of: Size) -> bool:
    """Whether two sizes have different names, or one a name and the other is a number."""
    return 1 not in (size, of) and _is_known(size) and _is_known(of) and same(size, of) is not True


def _is_known(size: Size) -> bool:
    return not isinstance(size, Dim) or not has_unnamed(size)


_EXCHANGED = _Mistake(_exchanged, subject="the batch dimensions of ")
_OTHER_FEATURES = _Mistake(_features_elsewhere, hint="; they match if the second one is transposed")
_MISTAKES = (
    _EXCHANGED,
    _Mistake(_in_wrong_order, hint="; they match in the other order"),
    _Mistake(_not_transposed, hint="; they match if the second one is transposed"),
)
