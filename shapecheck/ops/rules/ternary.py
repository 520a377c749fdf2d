"""Operators on three values, element by element."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Number, Tensor, fresh, fresh_shape
from shapecheck.ops.shared.dtypes import need_same_dtype, promoted
from shapecheck.ops.shared.elementwise import BOOL, COMPLEX, INTEGRAL, accept, combined, need_value
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, DTypeError, ShapeError, unknown
from shapecheck.spec.broadcast import broadcast_shapes
from shapecheck.spec.dtype import bool_, int64, uint8
from shapecheck.spec.presentation import value_text


@op("where", traits=Trait.ONE_DEVICE | Trait.SPLITS | Trait.PROMOTES_DTYPES | Trait.PAIRS)
def where(
    condition: Tensor, input: Tensor | Number | None = None, other: Tensor | Number | None = None
) -> Tensor | tuple[Tensor, ...]:
    """The three shapes broadcast, the dtypes of the values promote; a condition alone gives indices."""
    if input is None and other is None:
        return _indices(condition)
    if input is None or other is None:
        raise CallError("takes 1 or 3 positional arguments (condition, input, other) but 2 were given")
    if condition.dtype not in (None, bool_, uint8):
        raise DTypeError(f"expected condition to have dtype torch.bool, got {condition.dtype}")
    return combined(promoted(input, other), condition, input, other)


@op("Tensor.where", traits=Trait.PAIRS)
def where_method(self: Tensor, condition: Tensor, other: Tensor | Number) -> Tensor | tuple[Tensor, ...]:
    """`torch.where(condition, self, other)`."""
    return where(condition, self, other)


def _indices(condition: Tensor) -> tuple[Tensor, ...]:
    count = unknown("nonzero", low=0)
    return tuple(fresh((count,), int64, condition).with_layout("unknown") for _ in condition.dims or (1,))


@op("clamp", "clip", traits=Trait.KEEPS_AXES | Trait.TENSOR_FIRST | Trait.PAIRS)
def clamp(input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    """The shapes broadcast, the dtypes promote."""
    limits = [one for one in (min, max) if one is not None]
    if not limits:
        raise CallError("expected min, max or both, got neither")
    if len(limits) == 2 and isinstance(min, Tensor) is not isinstance(max, Tensor):
        limit = min if isinstance(min, Tensor) else max
        if isinstance(limit, Tensor) and limit.rank:
            raise CallError(
                f"expected min and max to be both tensors or both numbers, got {value_text(min)} and {value_text(max)}"
            )
    accept(input.dtype, COMPLEX)
    return combined(accept(promoted(input, *limits), COMPLEX | BOOL), input, *limits)


@op("addcmul", traits=Trait.PAIRS)
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: object = 1) -> Tensor:
    """The shapes broadcast, the dtypes promote."""
    return combined(accept(promoted(input, tensor1, tensor2), BOOL), input, tensor1, tensor2)


@op("addcdiv", traits=Trait.PAIRS)
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: object = 1) -> Tensor:
    """The shapes broadcast, the dtypes promote; two integer tensors are not divided."""
    dtypes = [one.dtype for one in (tensor1, tensor2)]
    if all(dtype is not None and dtype.kind in INTEGRAL for dtype in dtypes):
        raise DTypeError(f"cannot divide integer tensors: tensor1 has dtype {dtypes[0]} and tensor2 {dtypes[1]}")
    return combined(promoted(input, tensor1, tensor2), input, tensor1, tensor2)


@op("lerp", traits=Trait.PAIRS)
def lerp(input: Tensor, end: Tensor, weight: Tensor | Number) -> Tensor:
    """The shapes broadcast; all dtypes are the same."""
    weighted = weight if isinstance(weight, Tensor) and weight.rank else None
    dtype = need_same_dtype(("input", input), ("end", end), ("weight", weighted))
    return combined(input.dtype or dtype, input, end, weight)


@op("masked_fill", traits=Trait.ONE_DEVICE | Trait.PAIRS)
def masked_fill(input: Tensor, mask: Tensor, value: Tensor | Number) -> Tensor:
    """The input's shape and the mask's broadcast; the input's dtype."""
    if mask.dtype is not None and mask.dtype is not bool_:
        raise DTypeError(f"expected the mask to have dtype torch.bool, got {mask.dtype}")
    if isinstance(value, Tensor):
        if value.rank is not None and value.rank > 0:
            raise ShapeError(f"expected value to be a number or a 0-D tensor, got shape {value.shape}")
    else:
        need_value(value, input.dtype)
    return fresh_shape(broadcast_shapes(input.shape, mask.shape), input.dtype, input)
