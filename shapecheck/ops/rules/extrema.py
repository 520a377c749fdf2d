"""Maximum, minimum, median and mode, with their indices, over one dimension or all."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, axis
from shapecheck.ops.shared.dtypes import promoted
from shapecheck.ops.shared.elementwise import BOOL, COMPLEX, Kinds, accept, combined
from shapecheck.ops.shared.named import ValuesIndices
from shapecheck.ops.shared.reducing import need_elements, of_kind, result, tensor
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, Shape, ShapeError, Size, TensorSpec, at_least
from shapecheck.spec.dtype import int64
from shapecheck.spec.presentation import value_text


@op("max", traits=Trait.TENSOR_FIRST | Trait.PAIRS)
@op("min", traits=Trait.TENSOR_FIRST | Trait.PAIRS)
def max(input: Tensor, dim: Any = None, keepdim: Any = False, *, other: Any = None) -> Any:
    """Whole: a number. With dim: (values, indices). With another tensor: the elementwise maximum, broadcast."""
    if other is not None or isinstance(dim, TensorSpec):
        other = dim if other is None else other
        of_kind(other, COMPLEX)
        of_kind(input, COMPLEX)
        return combined(promoted(input, other), input, other)
    if dim is None:
        of_kind(input, COMPLEX)
        need_elements(input.shape, None, "extremum")
        return result(input, None, keepdim, input.dtype)
    return _with_places(tensor(input), _one(dim), keepdim, COMPLEX)


@op("median")
@op("nanmedian")
def median(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """Whole: a number. With dim: (values, indices)."""
    if dim is None:
        return result(tensor(input), None, False, of_kind(input, COMPLEX | BOOL))
    return _with_places(tensor(input), _one(dim), keepdim, COMPLEX | BOOL)


@op("mode")
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> ValuesIndices:
    """The most frequent element along a dimension: (values, indices)."""
    return _with_places(tensor(input), _one(dim), keepdim, COMPLEX)


@op("kthvalue")
def kthvalue(input: Tensor, k: Size, dim: int = -1, keepdim: bool = False) -> ValuesIndices:
    """The k-th smallest along a dimension, k from 1: (values, indices)."""
    found = _with_places(tensor(input), _one(dim), keepdim, COMPLEX | BOOL)
    size = 1 if input.rank == 0 else input.shape.size(dim)
    if at_least(size, k) is False or at_least(k, 1) is False:
        raise ShapeError(f"k out of range: expected 1 to {size}, got {k} (dimension {dim} of {input.shape})")
    return found


@op("argmax", traits=Trait.TENSOR_FIRST)
@op("argmin")
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the extremum over one dimension or all, as int64."""
    accept(tensor(input).dtype, COMPLEX | BOOL)
    dim = None if dim is None else _one(dim)
    found = result(input, dim, keepdim, int64)
    need_elements(input.shape, dim, "extremum")
    return found


@op("cummax")
@op("cummin")
def cummax(input: Tensor, dim: int) -> ValuesIndices:
    """The extremum so far along a dimension: (values, indices) of the input's shape."""
    of_kind(input, COMPLEX)
    if input.rank is not None and 0 not in input.dims:  # torch returns early for an empty tensor
        axis(_one(dim), input.rank)
    return _pair(input, input.shape)


def _with_places(input: Tensor, dim: int, keepdim: Any, refused: Kinds) -> ValuesIndices:
    of_kind(input, refused)
    found = result(input, dim, keepdim, input.dtype)
    need_elements(input.shape, dim, "extremum")
    return _pair(input, found.shape)


def _pair(input: Tensor, shape: Shape) -> ValuesIndices:
    return ValuesIndices(
        TensorSpec.make(shape, input.dtype, "contiguous", input.device),
        TensorSpec.make(shape, int64, "contiguous", input.device),
    )


def _one(dim: Any) -> Any:
    if isinstance(dim, (tuple, list)):
        raise CallError(
            f"expected dim to be an integer, got {value_text(dim)}; use amax or amin for several dimensions"
        )
    return dim
