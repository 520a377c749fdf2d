"""`scores.masked_fill(mask, 0)` of scores (b, h, q, k) and a mask (b, k): the batch is aligned with another dimension.

Torch aligns dimensions from the right. An operand of lower rank that begins with the batch dimension of the other one
lacks dimensions between. The sizes may happen to be equal, so torch does not refuse the call for every input.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from shapecheck.spec import Dim, Shape, Size, TensorSpec, same
from shapecheck.spec.dim import is_variable
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._operand_pairs import ALIGNING, operand_pairs

_CODE: Final = "shape-mismatch"
_WITH_HEADS = 4
"""The rank of attention scores. The number of heads is often unknown."""


@before(_CODE, *ALIGNING)
def of_operand(call: AbstractCall) -> None:
    """Reports two operands of an elementwise operator."""
    for one, other in operand_pairs(call):
        _report(call, one, other)


@before(_CODE, "scaled_dot_product_attention")
def of_attention_mask(call: AbstractCall) -> None:
    """Reports the mask of attention scores of shape (..., queries, keys)."""
    query, key, mask = call.argument(0, "query"), call.argument(1, "key"), call.argument(3, "attn_mask")
    if isinstance(query, TensorSpec) and isinstance(key, TensorSpec) and query.rank and key.rank and key.rank > 1:
        scores = query.with_shape(Shape((*query.dims[:-1], key.dims[-2])))
        _report(call, scores, mask)


def _report(call: AbstractCall, one: Value, other: Value) -> None:
    if not isinstance(one, TensorSpec) or not isinstance(other, TensorSpec) or not one.rank or not other.rank:
        return
    smaller, larger = sorted((one, other), key=lambda value: value.rank or 0)
    expected = _with_missing(smaller.dims, larger.dims)
    if expected is None:
        return
    batch, aligned = smaller.dims[0], larger.dims[len(larger.dims) - len(smaller.dims)]
    if len(larger.dims) < _WITH_HEADS and _is_given(call.run, aligned):
        return
    place = len(larger.dims) - len(smaller.dims)
    equal = f"{batch} and {aligned} are equal" if _is_known(aligned) else f"{batch} equals dimension {place}"
    shapes = f"cannot broadcast {smaller.shape} and {larger.shape} unless {equal}"
    message = f"{call.name}: {shapes}; expected {Shape(expected)}"
    why = partial(conflict_notes, call.run, call.node, call.name, (one, other), {})
    causes = partial(causes_of_pair, call.run, call.node, smaller, larger)
    call.run.report(_CODE, call.node, message, why, causes)


def _is_given(run: Run, size: Size) -> bool:
    """Whether an unknown argument of the running function is a size, such as the number of items for all pairs."""
    return any(type(one) is SymbolicArgument and one.known_size == size for one in run.frame.names.fields.values())


def _with_missing(smaller: Sequence[Size], larger: Sequence[Size]) -> tuple[Size, ...] | None:
    """The shape that the smaller operand should have, None if it lacks no dimension between for certain."""
    if not 2 <= len(smaller) < len(larger) or smaller[0] != larger[0] or not is_variable(larger[0]):
        return None
    batch, aligned = larger[0], larger[len(larger) - len(smaller)]
    if not _is_known(batch) or aligned == 1 or same(batch, aligned) is not None:
        return None
    if not _is_known(aligned) and len(larger) < _WITH_HEADS:
        return None  # all pairs of a batch, for example
    if list(smaller).count(batch) > 1 or list(larger).count(batch) > 1:
        return None
    expected: list[Size] = []
    rest = list(smaller)
    for size in reversed(larger):
        if rest[-1] == size or (rest[-1] == 1 and len(rest) > 1):
            expected.insert(0, rest.pop())
        else:
            expected.insert(0, 1)
        if not rest:
            break
    return tuple(expected) if not rest and len(expected) == len(larger) else None


def _is_known(size: Size) -> bool:
    """Whether a size is a number, or an expression that names what it depends on."""
    return not isinstance(size, Dim) or "?" not in str(size)
