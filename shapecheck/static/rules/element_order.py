"""`scores + mask.repeat(heads, 1)`: rows that are ordered (batch, heads) meet rows that are ordered (heads, batch)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Final

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._element_order import Axis, is_product, order_of

_CODE: Final = "axis-order"
_ELEMENTWISE: Final = "+ - * / add sub subtract mul multiply div divide masked_fill where minimum maximum".split()
_PRODUCTS: Final = ("matmul", "bmm", "@")
_Pair = tuple[int, int]


@before(_CODE, *_ELEMENTWISE, "scaled_dot_product_attention")
def of_elements(call: AbstractCall) -> None:
    """Reports operands with a dimension of the same size whose elements are in another order."""
    _report_first(call, _aligned)


@before(_CODE, *_PRODUCTS)
def of_products(call: AbstractCall) -> None:
    """Reports the batches of a product, and the dimensions that are summed."""
    _report_first(call, _multiplied)


def _aligned(one: TensorSpec, other: TensorSpec) -> Iterator[_Pair]:
    yield from ((-at, -at) for at in range(1, min(one.rank or 0, other.rank or 0) + 1))


def _multiplied(one: TensorSpec, other: TensorSpec) -> Iterator[_Pair]:
    smaller = min(one.rank or 0, other.rank or 0)
    if smaller > 1:
        yield -1, -2
        yield from ((-at, -at) for at in range(3, smaller + 1))


def _report_first(call: AbstractCall, pairs_of: Callable[[TensorSpec, TensorSpec], Iterator[_Pair]]) -> None:
    tensors = [one for one in call.args[:3] if isinstance(one, TensorSpec) and one.rank and mark_of(one) is None]
    for one, other in pairwise(tensors):
        for pair in pairs_of(one, other):
            size = one.dims[pair[0]]
            if is_product(size) and size == other.dims[pair[1]] and (message := _message(call, one, other, pair)):
                why = partial(conflict_notes, call.run, call.node, call.name, (one, other), {})
                call.run.report(_CODE, call.node, message, why)
                return


def _message(call: AbstractCall, one: TensorSpec, other: TensorSpec, pair: _Pair) -> str:
    """What is wrong with two dimensions of the same size, empty if nothing is known to be."""
    if not call.run.origins.noted:
        return f"{call.name} of merged dimensions"
    first, second = order_of(call.run, one)[pair[0]], order_of(call.run, other)[pair[1]]
    if not _differ(first, second):
        return ""
    at, after = (place + (tensor.rank or 0) for place, tensor in zip(pair, (one, other), strict=True))
    return (
        f"{call.name}: dimension {at} of {one.shape} is ordered {_text(first)}, "
        f"but dimension {after} of {other.shape} is ordered {_text(second)}"
    )


def _differ(one: Axis, other: Axis) -> bool:
    """Whether the same sizes are in another order; of equal sizes, that is unknown."""
    return one != other and len(set(one)) == len(one) > 1 and Counter(one) == Counter(other)


def _text(axis: Axis) -> str:
    return f"({', '.join(map(str, axis))})"
