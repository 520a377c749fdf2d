"""A key padding mask (s, b) where a layer of attention expects (b, s), whatever its option batch_first is.

Both sizes are checked, but they may be equal in a call. The mask has the dimensions of tokens (s, b), so it fits if it
is transposed.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from shapecheck.ops import Unknown
from shapecheck.spec import Size, TensorSpec, same
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, Called, before
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._batch_first import attention_of, batch_axis_of

_CODE: Final = "shape-mismatch"
_RANK = 3


@before(_CODE, Called("MultiheadAttention"))
def of_attention(call: AbstractCall) -> Unknown | None:
    """Reports the mask of the keys."""
    return _report(call, call.argument(1, "key"), call.argument(3, "key_padding_mask"))


@before(_CODE, Called("TransformerEncoder"), Called("TransformerEncoderLayer"))
def of_encoder(call: AbstractCall) -> Unknown | None:
    """Reports the mask of the sources."""
    return _report(call, call.argument(0, "src"), call.argument(2, "src_key_padding_mask"))


def _report(call: AbstractCall, keys: Value, mask: Value) -> Unknown | None:
    batch = batch_axis_of(attention_of(call.layer))
    if batch is None or not isinstance(keys, TensorSpec) or not isinstance(mask, TensorSpec):
        return None
    if keys.rank != _RANK or mask.rank != _RANK - 1:
        return None
    samples, steps = keys.dims[batch], keys.dims[1 - batch]
    if same(samples, steps) is None and _are_same((steps, samples), mask.dims):
        needed = f"it works only if {samples} equals {steps}: transpose the mask"
        shapes = f"expected a key padding mask of shape ({samples}, {steps}), got {mask.shape}"
        why = partial(conflict_notes, call.run, call.node, call.name, (keys, mask), {})
        return call.run.report(_CODE, call.node, f"{call.name}: {shapes}; {needed}", why)
    return None


def _are_same(one: tuple[Size, ...], other: tuple[Size, ...]) -> bool:
    return all(same(left, right) is True for left, right in zip(one, other, strict=True))
