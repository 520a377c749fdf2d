"""Triangles and diagonals that are copies, not views."""

from __future__ import annotations

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, axis, fresh, fresh_shape, size
from shapecheck.ops.traits import Trait
from shapecheck.spec import (
    DType,
    DTypeError,
    Layout,
    ShapeError,
    Size,
    as_dtype,
    at_least,
    maximum,
    minimum,
    quotient,
    same,
    unknown,
)
from shapecheck.spec.dtype import int32, int64
from shapecheck.spec.strides import numel


def _triangle(input: Tensor, diagonal: object = 0) -> Tensor:
    """The input's shape, (..., rows, columns)."""
    if input.rank is not None and input.rank < 2:
        raise ShapeError(f"expected at least 2 dimensions, got shape {input.shape}")
    layout: Layout = "contiguous" if input.layout == "contiguous" else "unknown"
    return fresh_shape(input.shape, input.dtype, input, layout)


register(_triangle, "tril", traits=Trait.FOR_BROADCASTING)
register(_triangle, "triu", traits=Trait.FOR_BROADCASTING)


@op("tril_indices", traits=Trait.NEW_ON_DEFAULT_DEVICE)
def tril_indices(
    row: Size, col: Size, offset: Size = 0, *, dtype: DTypeLike = None, device: object = None, layout: object = None
) -> Tensor:
    """(2, number of elements on or below the diagonal)."""
    row, col, offset = _need_sizes(row, col, offset)
    return fresh((2, _below(row, col, offset)), _index_dtype(dtype))


@op("triu_indices", traits=Trait.NEW_ON_DEFAULT_DEVICE)
def triu_indices(
    row: Size, col: Size, offset: Size = 0, *, dtype: DTypeLike = None, device: object = None, layout: object = None
) -> Tensor:
    """(2, number of elements on or above the diagonal)."""
    row, col, offset = _need_sizes(row, col, offset)
    return fresh((2, row * col - _below(row, col, offset - 1)), _index_dtype(dtype))


def _need_sizes(row: Size, col: Size, offset: Size) -> tuple[Size, Size, Size]:
    row, col = size(row), size(col)
    for name, value in (("row", row), ("col", col)):
        if at_least(-1, value):
            raise ShapeError(f"expected {name} to be non-negative, got {value}")
    return row, col, size(offset)


def _index_dtype(dtype: DTypeLike) -> DType:
    wanted = int64 if dtype is None else as_dtype(dtype)
    if wanted not in (int64, int32):
        raise DTypeError(f"expected dtype to be torch.int64 or torch.int32, got {wanted}")
    return wanted


def _below(row: Size, col: Size, offset: Size) -> Size:
    """How many elements of a matrix are on or below the diagonal `offset` (columns to the right of the main one).

    From aten/src/ATen/native/TensorFactories.h, get_tril_size.
    """
    if isinstance(row, int) and isinstance(col, int) and isinstance(offset, int):
        return _below_known(row, col, offset)
    if same(row, col) and offset in (0, -1):
        return quotient(row * (row + 1 + 2 * offset), 2)
    return unknown(low=0)


def _below_known(row: int, col: int, offset: int) -> int:
    if not row or not col:
        return 0
    first = min(col, 1 + offset) if offset > 0 else int(row + offset > 0)
    last = max(0, min(col, row + offset))
    rows = max(0, min(row, row + offset))
    slanted = last - first + 1
    return (first + last) * slanted // 2 + max(0, rows - slanted) * col


@op("diag")
def diag(input: Tensor, diagonal: Size = 0) -> Tensor:
    """A vector gives a square matrix with it on the diagonal; a matrix gives its diagonal."""
    if input.rank not in (1, 2, None):
        raise ShapeError(f"expected a 1-D or 2-D input, got shape {input.shape}")
    diagonal = size(diagonal)
    if len(input.dims) == 1:
        side = input.dims[0] + _distance(diagonal)
        return fresh((side, side), input.dtype, input)
    rows, columns = input.dims
    return fresh((diagonal_size(rows, columns, diagonal),), input.dtype, input)


def diagonal_size(rows: Size, columns: Size, offset: Size) -> Size:
    """The size of a matrix diagonal, `offset` columns to the right of the main one."""
    if at_least(offset, 0):
        return maximum(minimum(rows, columns - offset), 0)
    if at_least(0, offset):
        return maximum(minimum(rows + offset, columns), 0)
    return unknown(low=0)


def _distance(offset: Size) -> Size:
    if isinstance(offset, int):
        return abs(offset)
    if at_least(offset, 0):
        return offset
    return -offset if at_least(0, offset) else unknown(low=0)


@op("diag_embed")
def diag_embed(input: Tensor, offset: Size = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """(..., n) gives (..., n+|offset|, n+|offset|), with the new dimensions at dim1 and dim2."""
    rank = len(input.dims) + 1
    if not input.rank:
        raise ShapeError("expected at least 1 dimension, got shape ()")
    one, other = axis(dim1, rank, "the result"), axis(dim2, rank, "the result")
    if one == other:
        raise ShapeError(f"expected two different dimensions, got dim1={dim1} and dim2={dim2}")
    side = input.dims[-1] + _distance(size(offset))
    dims = list(input.dims[:-1])
    for place in sorted((one, other)):
        dims.insert(place, side)
    return fresh(dims, input.dtype, input)


@op("diagflat")
def diagflat(input: Tensor, offset: Size = 0) -> Tensor:
    """A square matrix with all elements of the input on the diagonal."""
    side = numel(input.dims) + _distance(size(offset))
    return fresh((side, side), input.dtype, input)
