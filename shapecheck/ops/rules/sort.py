"""Sorting, the first k, places in what is sorted, and what occurs how often."""

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


@op("sort", traits=Trait.SEVERAL_RESULTS)
def sort(input: Tensor, *args: Any, dim: int = -1, descending: object = False, stable: object = False) -> ValuesIndices:
    """(values, indices) of the input's shape, sorted along one axis."""
    _need_order(input, *args, **({} if args else {"dim": dim}))
    return ValuesIndices(kept(input, input.dtype), kept(input, int64))


@op("argsort")
def argsort(input: Tensor, *args: Any, dim: int = -1, descending: object = False, stable: object = False) -> Tensor:
    """The indices that would sort the input along one axis, int64, of its shape."""
    _need_order(input, *args, **({} if args else {"dim": dim}))
    return kept(input, int64)


def _need_order(input: Tensor, dim: Any = -1, descending: Any = False) -> None:
    need_bool(descending, "descending")
    if input.rank is not None:
        axis(dim, input.rank)
    of_kind(input, COMPLEX)


@op("msort")
def msort(input: Tensor) -> Tensor:
    """Sorted along the first axis."""
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
        raise ShapeError(f"k is out of range: it is {k}, dimension {dim} of {input.shape} has size {given}")
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
    """Where each value belongs: (..., m) in a sequence of (..., n) or (n,) gives (..., m) of int64 or int32."""
    _need_side(right, side)
    if sorter is not None:
        _need_sorter(sorted_sequence.shape, sorter)
    if not isinstance(input, TensorSpec):
        if sorted_sequence.rank not in (1, None):
            raise ShapeError(
                f"the input can be a scalar only when the sequence has 1 dimension, it is {sorted_sequence.shape}"
            )
        return fresh((), int32 if out_int32 else int64, sorted_sequence)
    _need_searchable(sorted_sequence, input)
    return fresh_shape(input.shape, int32 if out_int32 else int64, input)


def _need_side(right: object, side: str | None) -> None:
    if side not in ("left", "right", None):
        raise CallError(f"side can only be 'left' or 'right', not {side!r}")
    if right is True and side == "left":
        raise CallError("side and right can't be set to opposites: side is 'left' while right is True")


def _need_sorter(sequence: Shape, sorter: Tensor) -> None:
    if sorter.dtype is not None and sorter.dtype is not int64:
        raise DTypeError(f"sorter must be a tensor of long dtype (torch.int64), it is {sorter.dtype}")
    if sequence.rank is None or sorter.rank is None:
        return
    message = f"boundaries and sorter must have the same size, they are {sequence} and {sorter.shape}"
    if sequence.rank != sorter.rank:
        raise ShapeError(message)
    for expected, given in zip(sequence, sorter.shape, strict=True):
        need_equal(expected, given, message)


def _need_searchable(sequence: Tensor, input: Tensor) -> None:
    of_kind(sequence, COMPLEX if input.dtype is not sequence.dtype else COMPLEX | BOOL)
    of_kind(input, COMPLEX)
    if sequence.rank == 0:
        raise ShapeError("the boundaries must have a positive dimension, they are a scalar")
    if sequence.rank is None or input.rank is None or sequence.rank == 1:
        return
    message = (
        "the boundaries must have 1 dimension, or the first N-1 dimensions of boundaries and input must match: "
        f"they are {sequence.shape} and {input.shape}"
    )
    if sequence.rank != input.rank:
        raise ShapeError(message)
    for expected, given in zip(sequence.dims[:-1], input.dims[:-1], strict=True):
        need_equal(expected, given, message)


@op("bucketize")
def bucketize(input: Tensor | Number, boundaries: Tensor, *, out_int32: bool = False, right: object = False) -> Tensor:
    """The bucket of each value, of the input's shape, int64 or int32; the boundaries are (n,)."""
    if boundaries.rank not in (1, None):
        raise ShapeError(
            f"boundaries tensor must be 1-dimensional, it has {boundaries.rank} dims, shape {boundaries.shape}"
        )
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


@op("unique")
def unique(
    input: Tensor,
    sorted: object = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """(u,), or slices along dim, u of them; then, where asked for, where each one went and how many there were."""
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
            raise ShapeError(f"dim is {dim}, but the input has no dimensions")
        if 0 in (*shape.head[:at], *shape.head[at + 1 :]):
            raise ShapeError(f"unique cannot be applied: 0 sized dimensions in {shape} are not selected, dim is {dim}")
    return shape.with_at(dim, found), Shape((shape.size(dim),))


@op("unique_consecutive")
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """As `unique`, of runs of equal elements."""
    return unique(input, True, return_inverse, return_counts, dim)


@op("nonzero", traits=Trait.SPLITS)
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """(n, rank): the indices of what is not zero; as_tuple gives (n,) for each axis."""
    found = unknown(low=0)
    if not as_tuple:
        rank = unknown(low=0) if tensor(input).rank is None else input.rank
        return fresh_shape(Shape((found, rank)), int64, input, "unknown")  # type: ignore[arg-type]  # the rank is known
    if input.rank is None:
        raise Unanswered("the rank of the input is unknown, and with it the number of results")
    return tuple(fresh((found,), int64, input) for _ in range(input.rank or 1))


@op("argwhere")
def argwhere(input: Tensor) -> Tensor:
    """(n, rank): the indices of what is not zero."""
    found: Tensor = nonzero(input)
    return found


@op("bincount")
def bincount(input: Tensor, weights: Tensor | None = None, minlength: Size = 0) -> Tensor:
    """(n,) of ints gives one count for each value up to the greatest."""
    of_kind(input, FLOATS | COMPLEX | BOOL)
    if input.rank not in (1, None):
        raise ShapeError(f"bincount only supports 1-d non-negative integral inputs, this one is {input.shape}")
    if at_least(minlength, 0) is False:
        raise CallError(f"minlength must be >= 0, not {minlength}")
    if input.shape == (0,):
        return fresh((minlength,), int64, input)
    found = (unknown(low=minlength if isinstance(minlength, int) else 0),)
    if weights is None:
        return fresh(found, int64, input)
    message = f"weights should be 1-d and have the same length as the input, they are {weights.shape} and {input.shape}"
    if weights.rank not in (1, None):
        raise ShapeError(message)
    if input.rank is not None and weights.rank is not None:
        need_equal(input.dims[0], weights.dims[0], message)
    return fresh(found, None if weights.dtype is None else float32 if weights.dtype is float32 else float64, input)


@op("histc")
def histc(input: Tensor, bins: Size = 100, min: object = 0, max: object = 0) -> Tensor:
    """Any shape gives (bins,), of the input's dtype."""
    if isinstance(min, (int, float)) and isinstance(max, (int, float)) and max < min:
        raise CallError(f"max must be larger than min, they are {max} and {min}")
    return fresh((_bins(bins),), of_kind(input, COMPLEX | BOOL), input)


def _bins(bins: Any) -> Size:
    if at_least(size(bins), 1) is False:
        raise CallError(f"bins must be > 0, not {bins}")
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
        raise DTypeError(f"input and bins must have the same dtype, they are {input.dtype} and {bins.dtype}")
    if bins.rank not in (1, None):
        raise ShapeError(f"a bins tensor must have one dimension, this one has {bins.rank}, shape {bins.shape}")
    if bins.shape.rank == 1 and at_least(bins.dims[0], 2) is False:
        raise ShapeError(
            f"bins must be > 0, at least one, and take two edges or more; the tensor of edges is {bins.shape}"
        )
    return fresh((bins.shape.size(0),), input.dtype, input)


def _need_weight(input: Tensor, weight: Tensor | None, innermost: int = 0) -> None:
    if weight is None:
        return
    if input.dtype is not None and weight.dtype not in (input.dtype, None):
        raise DTypeError(f"input and weight must have the same dtype, they are {input.dtype} and {weight.dtype}")
    if input.rank is None or weight.rank is None:
        return
    expected = input.dims[: input.rank - innermost]
    rule = f"weight must have the shape {Shape(expected)}, the input's without the innermost dimension"
    message = f"{rule}; it is {weight.shape}"
    if innermost == 0:
        message = f"input and weight must have the same shape, they are {input.shape} and {weight.shape}"
    if len(expected) != weight.rank:
        raise ShapeError(message)
    for one, other in zip(expected, weight.dims, strict=True):
        need_equal(one, other, message)


def _need_range(range: Any, axes: int) -> None:
    if range is not None and len(range) != 2 * axes:
        raise CallError(f"range should have {2 * axes} elements, it has {len(range)}")


@op("histogramdd")
def histogramdd(
    input: Tensor,
    bins: Size | Sequence[Size] | Sequence[Tensor],
    range: Sequence[float] | None = None,
    weight: Tensor | None = None,
    density: object = False,
) -> NamedResult:
    """(..., n) gives (hist, bin_edges): one axis of bins for each of the n coordinates, and n tensors of edges."""
    of_kind(input, INTEGRAL | COMPLEX)
    if input.rank is not None and input.rank < 2:
        raise ShapeError(f"the input should have at least 2 dimensions, it is {input.shape}")
    count = input.shape.at(-1)
    given = bins if isinstance(bins, (tuple, list)) else None
    if given is None:
        if not isinstance(count, int):
            raise Unanswered("the number of coordinates is unknown")
        given = (bins,) * count
    if count is not None:
        need_equal(
            count,
            len(given),
            f"histogramdd needs one bins for each dimension: {len(given)} for {count}, the last size of {input.shape}",
        )
    _need_weight(input, weight, 1)
    _need_range(range, len(given))
    edges = tuple(_edges(input, one) for one in given)
    return NamedResult(hist=fresh((one.dims[0] - 1 for one in edges), input.dtype, input), bin_edges=edges)
