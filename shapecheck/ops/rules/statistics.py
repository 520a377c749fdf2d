"""Standard deviations, variances and quantiles."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Axes, Tensor, fresh_shape
from shapecheck.ops.shared.elementwise import COMPLEX, INTEGRAL, accept
from shapecheck.ops.shared.reducing import need_elements, need_some, of_kind, result, tensor
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, TensorSpec
from shapecheck.spec.dtype import as_dtype, float32, float64
from shapecheck.spec.presentation import quoted, value_text

_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


@op("std", traits=Trait.REDUCES)
@op("var", traits=Trait.REDUCES)
def std(
    input: Tensor,
    dim: Axes | bool = None,
    unbiased: object = None,
    keepdim: bool = False,
    *,
    correction: object = None,
) -> Tensor:
    """(b, t, d) over dim 1 gives (b, d); real for complex numbers. `std(x, True)` is over all dimensions, unbiased."""
    dtype = accept(tensor(input).dtype, INTEGRAL)
    if isinstance(dim, bool):
        dim = None
    return result(input, dim, keepdim, None if dtype is None else dtype.to_real())


@op("std_mean")
@op("var_mean")
def std_mean(
    input: Tensor,
    dim: Axes | bool = None,
    unbiased: object = None,
    keepdim: bool = False,
    *,
    correction: object = None,
) -> tuple[Tensor, Tensor]:
    """The deviation or variance, and the mean."""
    found = std(input, dim, unbiased, keepdim, correction=correction)
    return found, found.with_dtype(input.dtype)


@op("quantile")
@op("nanquantile")
def quantile(
    input: Tensor, q: float | Tensor, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """As `mean` over one dimension or all; several quantiles q, (n,), are a new first dimension."""
    dtype = tensor(input).dtype
    if dtype not in (float32, float64, None):
        raise DTypeError(f"expected dtype torch.float32 or torch.float64, got {dtype}")
    if interpolation not in _INTERPOLATIONS:
        known = ", ".join(map(quoted, _INTERPOLATIONS))
        raise CallError(f"expected interpolation to be one of {known}, got {value_text(interpolation)}")
    if isinstance(dim, (tuple, list)):
        raise CallError(f"expected dim to be an int, got {value_text(dim)}")
    found = result(input, dim, keepdim, dtype)
    need_some(input.shape, "quantile")
    if isinstance(q, (tuple, list)):
        raise CallError(f"expected q to be a float or a tensor, got {value_text(q)}")
    return _several(found, q) if isinstance(q, TensorSpec) else _one(found, q)


def _one(found: Tensor, q: Any) -> Tensor:
    if isinstance(q, (int, float)) and not 0 <= q <= 1:
        raise CallError(f"expected q to be between 0 and 1, got {q}")
    return found


def _several(found: Tensor, q: Tensor) -> Tensor:
    if q.rank is not None and q.rank > 1:
        raise ShapeError(f"expected q to be 0-D or 1-D, got shape {q.shape}")
    if q.dtype is not None and found.dtype is not None and q.dtype is not found.dtype:
        raise DTypeError(f"expected input and q to have the same dtype, got {found.dtype} and {q.dtype}")
    if q.rank is None:
        return fresh_shape(Shape.anything(), found.dtype, found, "unknown")
    if q.rank == 0:
        return found
    return fresh_shape(
        found.shape.inserted(0, q.dims[0]), found.dtype, found, "contiguous" if found.rank == 0 else "unknown"
    )


@op("hash_tensor")
def hash_tensor(input: Tensor, dim: Axes = (), *, keepdim: bool = False, mode: int = 0) -> Tensor:
    """A uint64 over all or some dimensions."""
    if mode != 0:
        raise CallError(f"expected mode to be 0, got {value_text(mode)}")
    of_kind(input, COMPLEX)
    found = result(input, dim, keepdim, _UINT64)
    need_elements(input.shape, dim, "hash")
    return found


_UINT64 = as_dtype("uint64")
