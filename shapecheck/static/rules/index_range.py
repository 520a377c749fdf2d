"""`embedding(torch.arange(n))` with more indices than the table has rows."""

from __future__ import annotations

from typing import Final

from shapecheck.ops import Trait
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, Called, after, before

_CODE: Final = "index-range"


@after(_CODE, "arange")
def counted(call: AbstractCall, result: Value) -> Value:
    """Marks `arange(n)` and `arange(a, b)` with their maximum."""
    bounds = [one for one in call.args if type(one) is int]
    if not 1 <= len(bounds) <= 2 or len(bounds) < len(call.args) or not isinstance(result, TensorSpec):
        return result
    greatest = bounds[-1] - 1
    if result.dtype is None or result.dtype.is_floating or greatest < (bounds[0] if len(bounds) == 2 else 0):
        return result
    own = result.with_dtype(result.dtype)
    call.run.attach(own, _CODE, greatest)
    return own


@after(_CODE, Trait.KEEPS_MAXIMUM, "__getitem__")
def kept(call: AbstractCall, result: Value) -> Value:
    """Passes the maximum on to other shapes of the tensor, and to subscripts that take every element."""
    greatest = call.run.metadata(call.args[0], _CODE) if call.args else None
    if greatest is None or not isinstance(result, TensorSpec):
        return result
    if call.name == "__getitem__" and not all(part in (None, ...) or part == slice(None) for part in _parts(call)):
        return result
    own = result.with_dtype(result.dtype)
    call.run.attach(own, _CODE, greatest)
    return own


def _parts(call: AbstractCall) -> tuple[Value, ...]:
    key = call.args[1] if len(call.args) > 1 else call.kwargs.get("key")
    return key if type(key) is tuple else (key,)


@before(_CODE, Called("Embedding"))
def looked_up(call: AbstractCall) -> None:
    """Reports a maximum that is beyond the last row of the table."""
    indices = call.args[0] if call.args else call.kwargs.get("input")
    greatest = call.run.metadata(indices, _CODE)
    rows = getattr(call.layer, "num_embeddings", None)
    if isinstance(greatest, int) and type(rows) is int and greatest >= rows:
        call.run.report(
            _CODE,
            call.node,
            f"expected indices below {rows} (the rows of the embedding), got up to {greatest} from arange",
        )
