"""Sorting, top-k, binary search, unique values and histograms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Number, Tensor, axis, fresh, fresh_shape, need_equal, size
from shapecheck.ops.shared.elementwise import BOOL, COMPLEX, FLOATS, INTEGRAL, kept
from shapecheck.ops.shared.named import NamedResult, ValuesIndices
from shapecheck.ops.shared.reducing import need_bool, of_kind, tensor
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size, TensorSpec, Unanswered, at_least, unknown
from shapecheck.spec.dtype import float32, float64, int32, int64
from shapecheck.spec.presentation import value_text


@op("sort", traits=Trait.SEVERAL_RESULTS)
def sort(input: Tensor, *args: Any, dim: int = -1, descending: object = False, stable: object = False) -> ValuesIndices:
    """(values, indices) of the input's shape, sorted along one dimension."""
    _need_order(input, *args, **({} if args else {"dim": dim}))
    return ValuesIndices(kept(input, input.dtype), kept(input, int64))


@op("argsort")
def argsort(input: Tensor, *args: Any, dim: int = -1, descending: object = False, stable: object = False) -> Tensor:
    """The indices that would sort the input along one dimension, int64, of its shape."""
    _need_order(input, *args, **({} if args else {"dim": dim}))
    return kept(input, int64)


def _need_order(input: Tensor, dim: Any = -1, descending: Any = False) -> None:
    need_bool(descending, "descending")
    if input.rank is not None:
        axis(dim, input.rank)
    of_kind(input, COMPLEX)


@op("msort")
def msort(input: Tensor) -> Tensor:
    """Sorted along the first dimension."""
    of_kind(input, COMPLEX)
    return kept(input, input.dtype)


@op("topk", traits=Trait.TENSOR_FIRST | Trait.SEVERAL_RESULTS)
def topk(input: Tensor, k: object, dim: int = -1, largest: object = True, sorted: object = True) -> ValuesIndices:
    """(b, n) gives (values, indices) of (b, k)."""
    of_kind(input, COMPLEX | BOOL)
    k, shape = unknown(low=0) if isinstance(k, Unknown) else size(k), input.shape
    if input.rank is not None:
        axis(dim, input.rank)
    if input.rank != 0:
        shape = shape.with_at(dim, k)
    given = 1 if input.rank == 0 else input.shape.at(dim)
    if at_least(k, 0) is False or (given is not None and at_least(given, k) is False):
        raise ShapeError(f"expected k to be at most {given}, the size of dimension {dim} of {input.shape}, got {k}")
    return ValuesIndices(fresh_shape(shape, input.dtype, input), fresh_shape(shape, int64, input))


@op("searchsorted")
def searchsorted(
    sorted_sequence: Tensor,
    input: Tensor | Number,
    *,
    out_int32: bool = False,
    right: object = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """The insertion indices: (..., m) in a sequence of (..., n) or (n,) gives (..., m) of int64 or int32."""
    _need_side(right, side)
    if sorter is not None:
        _need_sorter(sorted_sequence.shape, sorter)
    if not isinstance(input, TensorSpec):
        if sorted_sequence.rank not in (1, None):
            raise ShapeError(f"expected a 1-D sorted_sequence for a scalar input, got shape {sorted_sequence.shape}")
        return fresh((), int32 if out_int32 else int64, sorted_sequence)
    _need_searchable(sorted_sequence, input)
    return fresh_shape(input.shape, int32 if out_int32 else int64, input)


def _need_side(right: object, side: str | None) -> None:
    if side not in ("left", "right", None):
        raise CallError(f'expected side to be "left" or "right", got {value_text(side)}')
    if right is True and side == "left":
        raise CallError('right=True cannot be used with side="left"')


def _need_sorter(sequence: Shape, sorter: Tensor) -> None:
    if sorter.dtype is not None and sorter.dtype is not int64:
        raise DTypeError(f"expected sorter to have dtype torch.int64, got {sorter.dtype}")
    if sequence.rank is None or sorter.rank is None:
        return
    message = f"expected sorter of shape {sequence}, the shape of sorted_sequence, got {sorter.shape}"
    if sequence.rank != sorter.rank:
        raise ShapeError(message)
    for expected, given in zip(sequence, sorter.shape, strict=True):
        need_equal(expected, given, message)


def _need_searchable(sequence: Tensor, input: Tensor) -> None:
    of_kind(sequence, COMPLEX if input.dtype is not sequence.dtype else COMPLEX | BOOL)
    of_kind(input, COMPLEX)
    if sequence.rank == 0:
        raise ShapeError("expected sorted_sequence to have at least 1 dimension, got shape ()")
    if sequence.rank is None or input.rank is None or sequence.rank == 1:
        return
    message = (
        "expected sorted_sequence to be 1-D or to match the input except in the last dimension, "
        f"got shapes {sequence.shape} and {input.shape}"
    )
    if sequence.rank != input.rank:
        raise ShapeError(message)
    for expected, given in zip(sequence.dims[:-1], input.dims[:-1], strict=True):
        need_equal(expected, given, message)


@op("bucketize")
def bucketize(input: Tensor | Number, boundaries: Tensor, *, out_int32: bool = False, right: object = False) -> Tensor:
    """The bucket of each value, of the input's shape, int64 or int32; the boundaries are (n,)."""
    if boundaries.rank not in (1, None):
        raise ShapeError(f"expected boundaries to be 1-D, got shape {boundaries.shape}")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


@op("unique")
def unique(
    input: Tensor,
    sorted: object = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """(u,), or u slices along dim; then, if requested, the inverse indices and the counts."""
    found = unknown(low=0)
    if dim is None:
        values, inverse = Shape((found,)), tensor(input).shape
    else:
        values, inverse = _slices(input, dim, found)
    results = [fresh_shape(values, input.dtype, input, "contiguous" if dim is None else "unknown")]
    if return_inverse:
        results.append(fresh_shape(inverse, int64, input))
    if return_counts:
        results.append(fresh((found,), int64, input))
    return results[0] if len(results) == 1 else tuple(results)


def _slices(input: Tensor, dim: int, found: Size) -> tuple[Shape, Shape]:
    shape = input.shape
    if shape.rank is not None:
        at = axis(dim, shape.rank)
        if shape.rank == 0:
            raise ShapeError(f"dim {dim} is out of range for a 0-D input")
        if 0 in (*shape.head[:at], *shape.head[at + 1 :]):
            raise ShapeError(f"expected no empty dimension other than dim {dim}, got shape {shape}")
    return shape.with_at(dim, found), Shape((shape.size(dim),))


@op("unique_consecutive")
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """As `unique`, for runs of equal elements."""
    return unique(input, True, return_inverse, return_counts, dim)


@op("nonzero", traits=Trait.SPLITS)
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """(n, rank): the indices of the non-zero elements; as_tuple gives (n,) for each dimension."""
    found = unknown(low=0)
    if not as_tuple:
        rank = unknown(low=0) if tensor(input).rank is None else input.rank
        return fresh_shape(Shape((found, rank)), int64, input, "unknown")  # type: ignore[arg-type]  # the rank is known
    if input.rank is None:
        raise Unanswered("unknown rank, which is the number of results")
    return tuple(fresh((found,), int64, input) for _ in range(input.rank or 1))


@op("argwhere")
def argwhere(input: Tensor) -> Tensor:
    """(n, rank): the indices of the non-zero elements."""
    found: Tensor = nonzero(input)
    return found


@op("bincount")
def bincount(input: Tensor, weights: Tensor | None = None, minlength: Size | Unknown = 0) -> Tensor:
    """(n,) of ints gives one count for each value up to the greatest."""
    of_kind(input, FLOATS | COMPLEX | BOOL)
    if input.rank not in (1, None):
        raise ShapeError(f"expected a 1-D input, got shape {input.shape}")
    if isinstance(minlength, Unknown):
        minlength = unknown()
    if at_least(minlength, 0) is False:
        raise CallError(f"expected minlength to be non-negative, got {minlength}")
    if input.shape == (0,):
        return fresh((minlength,), int64, input)
    found = (unknown(low=minlength if isinstance(minlength, int) else 0),)
    if weights is None:
        return fresh(found, int64, input)
    message = f"expected weights of shape {input.shape}, the shape of the input, got {weights.shape}"
    if weights.rank not in (1, None):
        raise ShapeError(message)
    if input.rank is not None and weights.rank is not None:
        need_equal(input.dims[0], weights.dims[0], message)
    return fresh(found, None if weights.dtype is None else float32 if weights.dtype is float32 else float64, input)


@op("histc")
def histc(input: Tensor, bins: Size = 100, min: object = 0, max: object = 0) -> Tensor:
    """Any shape gives (bins,), of the input's dtype."""
    if isinstance(min, (int, float)) and isinstance(max, (int, float)) and max < min:
        raise CallError(f"expected max to be at least min, got {max} and {min}")
    return fresh((_bins(bins),), of_kind(input, COMPLEX | BOOL), input)


def _bins(bins: Any) -> Size:
    if at_least(size(bins), 1) is False:
        raise CallError(f"expected bins to be positive, got {value_text(bins)}")
    return size(bins)


@op("histogram")
def histogram(
    input: Tensor,
    bins: Size | Tensor = 100,
    *,
    range: Sequence[float] | None = None,
    weight: Tensor | None = None,
    density: object = False,
) -> NamedResult:
    """Any shape gives (hist, bin_edges) of (bins,) and (bins + 1,); edges may be given as a tensor."""
    of_kind(input, INTEGRAL | COMPLEX)
    _need_weight(input, weight)
    _need_range(range, 1)
    edges = _edges(input, bins)
    return NamedResult(hist=fresh((edges.dims[0] - 1,), input.dtype, input), bin_edges=edges)


def _edges(input: Tensor, bins: Any) -> Tensor:
    if not isinstance(bins, TensorSpec):
        return fresh((_bins(bins) + 1,), input.dtype, input)
    if input.dtype is not None and bins.dtype not in (input.dtype, None):
        raise DTypeError(f"expected input and bins to have the same dtype, got {input.dtype} and {bins.dtype}")
    if bins.rank not in (1, None):
        raise ShapeError(f"expected bins to be 1-D, got shape {bins.shape}")
    if bins.shape.rank == 1 and at_least(bins.dims[0], 2) is False:
        raise ShapeError(f"expected bins to have at least 2 edges, got shape {bins.shape}")
    return fresh((bins.shape.size(0),), input.dtype, input)


def _need_weight(input: Tensor, weight: Tensor | None, innermost: int = 0) -> None:
    if weight is None:
        return
    if input.dtype is not None and weight.dtype not in (input.dtype, None):
        raise DTypeError(f"expected input and weight to have the same dtype, got {input.dtype} and {weight.dtype}")
    if input.rank is None or weight.rank is None:
        return
    expected = input.dims[: input.rank - innermost]
    message = f"expected a weight of shape {Shape(expected)}, got {weight.shape} (input of shape {input.shape})"
    if len(expected) != weight.rank:
        raise ShapeError(message)
    for one, other in zip(expected, weight.dims, strict=True):
        need_equal(one, other, message)


def _need_range(range: Any, count: int) -> None:
    if range is not None and len(range) != 2 * count:
        raise CallError(f"expected range to have {2 * count} elements, got {len(range)}")


@op("histogramdd")
def histogramdd(
    input: Tensor,
    bins: Size | Sequence[Size] | Sequence[Tensor],
    range: Sequence[float] | None = None,
    weight: Tensor | None = None,
    density: object = False,
) -> NamedResult:
    """(..., n) gives (hist, bin_edges): one dimension of bins for each of the n coordinates, and n tensors of edges."""
    of_kind(input, INTEGRAL | COMPLEX)
    if input.rank is not None and input.rank < 2:
        raise ShapeError(f"expected at least 2 dimensions, got shape {input.shape}")
    count = input.shape.at(-1)
    given = bins if isinstance(bins, (tuple, list)) else None
    if given is None:
        if not isinstance(count, int):
            raise Unanswered("unknown number of coordinates")
        given = (bins,) * count
    if count is not None:
        need_equal(
            count,
            len(given),
            f"expected bins to have {count} elements, the last size of {input.shape}, got {len(given)}",
        )
    _need_weight(input, weight, 1)
    _need_range(range, len(given))
    edges = tuple(_edges(input, one) for one in given)
    return NamedResult(hist=fresh((one.dims[0] - 1 for one in edges), input.dtype, input), bin_edges=edges)
