"""Sums, products, means, extrema and other reductions over all or some dimensions."""

from __future__ import annotations

from math import prod as product
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Axes, Tensor, fresh_shape
from shapecheck.ops.shared.elementwise import COMPLEX, accept, floated
from shapecheck.ops.shared.named import NamedResult
from shapecheck.ops.shared.reducing import averaged, counted, every, need_bool, need_elements, of_kind, result, tensor
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, DType, Layout, Size, Unanswered
from shapecheck.spec.dtype import bool_, int64, uint8
from shapecheck.spec.presentation import value_text


@op("sum", traits=Trait.TENSOR_FIRST | Trait.REDUCES)
def sum(input: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: object = None) -> Tensor:
    """(b, t, d) over dim -1 gives (b, t), with keepdim (b, t, 1); ints and bools give int64."""
    return result(tensor(input), dim, keepdim, counted(input.dtype, dtype))


@op("nansum")
def nansum(input: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: object = None) -> Tensor:
    """As `sum`; no complex numbers."""
    of_kind(input, COMPLEX)
    return result(input, dim, keepdim, counted(input.dtype, dtype))


@op("prod")
def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: object = None) -> Tensor:
    """As `sum`, but over one dimension or all."""
    if isinstance(dim, (tuple, list)):
        raise CallError(f"expected dim to be an int, got {value_text(dim)}")
    return result(tensor(input), dim, keepdim, counted(input.dtype, dtype))


@op("operator.prod")
def product_of_sizes(iterable: Any, /, *, start: Size = 1) -> Size:
    """math.prod: the product of sizes."""
    if not isinstance(iterable, (tuple, list)):
        raise Unanswered("unknown factors")
    return product(iterable, start=start)


@op("mean", traits=Trait.TENSOR_FIRST | Trait.REDUCES)
def mean(input: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: object = None) -> Tensor:
    """(b, t, d) over dim 1 gives (b, d); ints and bools need a dtype."""
    return result(tensor(input), dim, keepdim, averaged(input.dtype, dtype))


@op("nanmean")
def nanmean(input: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: object = None) -> Tensor:
    """As `mean`; no complex numbers."""
    found = averaged(tensor(input).dtype)
    accept(found, COMPLEX)
    return result(input, dim, keepdim, averaged(found, dtype))


@op("all", "alltrue")
@op("any", "sometrue")
def all(input: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    """Bools (uint8 stays uint8) over all or some dimensions; `dim=()` reduces none, unlike elsewhere."""
    if dim is not None and every(dim):
        need_bool(keepdim, "keepdim")
        layout: Layout = "contiguous" if tensor(input).layout == "contiguous" else "unknown"
        return fresh_shape(input.shape, _truth(input.dtype), input, layout)
    return result(tensor(input), dim, keepdim, _truth(input.dtype))


def _truth(dtype: DType | None) -> DType | None:
    return dtype if dtype is None or dtype is uint8 else bool_


@op("amax", traits=Trait.REDUCES)
@op("amin", traits=Trait.REDUCES)
def amax(input: Tensor, dim: Axes = (), keepdim: bool = False) -> Tensor:
    """The extremum over all or some dimensions, without its index."""
    of_kind(input, COMPLEX)
    found = result(input, dim, keepdim, input.dtype)
    need_elements(input.shape, dim, "extremum")
    return found


@op("aminmax")
def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> NamedResult:
    """(min, max) over one dimension or all."""
    if isinstance(dim, (tuple, list)):
        raise CallError(f"expected dim to be an int, got {value_text(dim)}")
    least = amax(input, dim, keepdim)
    return NamedResult(min=least, max=least)


@op("count_nonzero")
def count_nonzero(input: Tensor, dim: Axes = None) -> Tensor:
    """The number of non-zero elements, as int64."""
    return result(tensor(input), dim, False, int64)


@op("logsumexp", "special.logsumexp", traits=Trait.REDUCES)
def logsumexp(input: Tensor, dim: Axes, keepdim: bool = False) -> Tensor:
    """(b, t, d) over dim -1 gives (b, t); ints and bools give floats."""
    return result(tensor(input), dim, keepdim, floated(input.dtype))
