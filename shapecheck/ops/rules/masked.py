"""`torch.masked`: reductions and normalizations of the elements where a mask is True."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Axes, DTypeLike, Tensor, axis, fresh_shape
from shapecheck.ops.shared.dtypes import promoted
from shapecheck.ops.shared.elementwise import COMPLEX, INTEGRAL, accept, floated
from shapecheck.ops.shared.matching import fitted_into
from shapecheck.ops.shared.reducing import averaged, counted, result, tensor
from shapecheck.spec import DType, Layout, ShapeError, as_dtype
from shapecheck.spec.broadcast import broadcast_shapes

DTypeRule = Callable[[DType | None, Any], DType | None]


def _kept(dtype: DType | None, given: DTypeLike) -> DType | None:
    return dtype if given is None else as_dtype(given)


def _ordered(dtype: DType | None, given: DTypeLike) -> DType | None:
    return accept(_kept(dtype, given), COMPLEX)


def _real(dtype: DType | None, given: DTypeLike) -> DType | None:
    found = accept(_kept(dtype, given), INTEGRAL)
    return found and found.to_real()


def need_mask(input: Tensor, mask: Tensor | None) -> None:
    """Raises ShapeError if the mask does not broadcast to the input."""
    if mask is None:
        return
    message = f"cannot expand the mask of shape {mask.shape} to {tensor(input).shape}, the shape of the input"
    if mask.rank is not None and input.rank is not None and mask.rank > input.rank:
        raise ShapeError(message)
    fitted_into(mask.shape, input.shape, message)


def reduction(dtype_of: DTypeRule) -> Callable[..., Tensor]:
    """The rule of a reduction over all or some dimensions; `dtype_of` computes the dtype from input and request."""

    def rule(
        input: Tensor,
        dim: Axes = None,
        *,
        keepdim: bool = False,
        dtype: DTypeLike = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        """(b, t, d) over dim 1 gives (b, d)."""
        need_mask(input, mask)
        return result(tensor(input), dim, keepdim, dtype_of(input.dtype, dtype))

    return rule


for _dtype_of, _names in (
    (counted, "sum prod"),
    (averaged, "mean"),
    (_ordered, "amax amin argmax argmin"),
    (_kept, "logsumexp"),
):
    for _name in _names.split():
        register(reduction(_dtype_of), f"masked.{_name}")


@op("masked.median")
def masked_median(
    input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: DTypeLike = None, mask: Tensor | None = None
) -> Tensor:
    """The median along one dimension, without its index."""
    need_mask(input, mask)
    return result(tensor(input), dim, keepdim, _kept(input.dtype, dtype))


@op("masked.norm")
def masked_norm(
    input: Tensor,
    ord: object = 2.0,
    dim: Axes = None,
    *,
    keepdim: bool = False,
    dtype: DTypeLike = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The norm over all or some dimensions; real for complex numbers."""
    need_mask(input, mask)
    return result(tensor(input), dim, keepdim, _real(input.dtype, dtype))


@op("masked.std")
@op("masked.var")
def masked_std(
    input: Tensor,
    dim: Axes = None,
    unbiased: object = None,
    *,
    correction: object = None,
    keepdim: bool = False,
    dtype: DTypeLike = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The deviation or variance over all or some dimensions; ints give floats."""
    need_mask(input, mask)
    return result(tensor(input), dim, keepdim, _kept(floated(input.dtype), dtype))


@op("masked.cumsum")
@op("masked.cumprod")
@op("masked.softmax")
@op("masked.log_softmax")
@op("masked.softmin")
def masked_cumsum(input: Tensor, dim: int, *, dtype: DTypeLike = None, mask: Tensor | None = None) -> Tensor:
    """The input's shape."""
    if tensor(input).rank is not None:
        axis(dim, input.rank or 0)
    need_mask(input, mask)
    return fresh_shape(input.shape, _kept(input.dtype, dtype), input, _layout(input, mask))


@op("masked.normalize")
def masked_normalize(
    input: Tensor, ord: object, dim: int, *, eps: object = 1e-12, dtype: DTypeLike = None, mask: Tensor | None = None
) -> Tensor:
    """The input's shape."""
    accept(tensor(input).dtype if dtype is None else None, INTEGRAL)
    return masked_cumsum(input, dim, dtype=dtype, mask=mask)


@op("masked.logaddexp")
def masked_logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: DTypeLike = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """Two tensors that broadcast give one of the shape they broadcast to."""
    need_mask(input, input_mask)
    need_mask(other, other_mask)
    shape = broadcast_shapes(tensor(input).shape, tensor(other).shape)
    found = promoted(input, other) if dtype is None else as_dtype(dtype)
    return fresh_shape(shape, found, input, "unknown")


def _layout(*tensors: Tensor | None) -> Layout:
    return "contiguous" if all(one is None or one.layout == "contiguous" for one in tensors) else "unknown"
