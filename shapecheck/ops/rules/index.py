"""Reading and writing elements by index: gather, scatter, index_*, take, put, masked_select and their like."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Number, Sizes, Tensor, axis, fresh, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.traits import Trait
from shapecheck.spec import (
    CallError,
    DTypeError,
    LayoutError,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    at_least,
    unknown,
)
from shapecheck.spec.broadcast import broadcast_shapes
from shapecheck.spec.dtype import DType, bool_, int32, int64
from shapecheck.spec.strides import numel, preserved, strides_of
from shapecheck.spec.view_strides import Blocked, view_strides

_INDEX = (int64, int32)
_REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")


def need_index(index: Tensor, what: str = "the index", dtypes: tuple[DType, ...] = _INDEX) -> None:
    """Raises DTypeError where the dtype is known and no index."""
    if index.dtype is not None and index.dtype not in dtypes:
        raise DTypeError(f"{what} is {index.dtype}; {' or '.join(map(str, dtypes))} is due")


@op("gather", traits=Trait.SHAPE_OF_INDEX)
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    """The index' shape; apart from dim the index is not larger than the input."""
    if input.rank is not None:
        dim = axis(dim, input.rank)
    if not _is_empty(index):
        need_index(index)
        _need_no_larger(index, input, "the input", dim)
    return fresh_shape(index.shape, input.dtype, input)


@op("scatter")
def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor | Number | None = None,
    *,
    value: Tensor | Number | None = None,
    reduce: str | None = None,
) -> Tensor:
    """The input's shape; the index fits into the input apart from dim, and into the source along every axis."""
    if reduce not in (None, "add", "multiply"):
        raise CallError(f"reduce is {reduce!r}; 'add' or 'multiply' is due")
    return _scattered(input, dim, index, value if src is None else src)


@op("scatter_add")
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """The input's shape; the index fits into the input apart from dim, and into the source along every axis."""
    _need_tensor(src, "src")
    return _scattered(input, dim, index, src)


@op("scatter_reduce")
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """The input's shape; the index fits into the input apart from dim, and into the source along every axis."""
    if reduce not in _REDUCTIONS:
        raise CallError(f"reduce is {reduce!r}; one of {', '.join(_REDUCTIONS)} is due")
    _need_tensor(src, "src")
    return _scattered(input, dim, index, src)


def _scattered(input: Tensor, dim: int, index: Tensor, src: object) -> Tensor:
    if input.rank is not None:
        dim = axis(dim, input.rank)
    from_tensor = isinstance(src, TensorSpec) and src.shape != Shape(())
    if from_tensor:
        need_same_dtype(("the input", input), ("the source", src))  # type: ignore[arg-type]
    if not _is_empty(index):
        need_index(index)
        _need_no_larger(index, input, "the input", dim)
        if from_tensor:
            _need_no_larger(index, src, "the source", None)  # type: ignore[arg-type]
    return fresh_shape(input.shape, input.dtype, input)


def _is_empty(index: Tensor) -> bool:
    return 0 in index.shape.head or 0 in index.shape.tail


def _need_no_larger(index: Tensor, other: Tensor, what: str, dim: int | None) -> None:
    if index.rank is None or other.rank is None:
        return
    if (index.rank or 1) != (other.rank or 1):
        raise ShapeError(
            f"the index {index.shape} has {index.rank} dimensions and {what} {other.shape} has {other.rank}; "
            "both must have the same number"
        )
    for place, (mine, theirs) in enumerate(zip(index.dims or (1,), other.dims or (1,), strict=True)):
        if place != dim and at_least(theirs, mine) is False:
            apart = "" if dim is None else f"; apart from dim {dim} the index must not be larger in size"
            raise ShapeError(
                f"axis {place} of the index is {mine}, but {what} {other.shape} has size {theirs} there{apart}"
            )


def _need_tensor(value: object, name: str) -> None:
    if not isinstance(value, TensorSpec):
        raise CallError(f"{name} must be a tensor, here it is {str(value)[:60]!r}")


def _count_of_index(index: Tensor, what: str = "the index") -> Size:
    """How many elements a vector (or a single number) of indices has."""
    if index.rank is None:
        return unknown(low=0)
    if index.rank > 1:
        raise ShapeError(f"{what} is {index.shape}, a vector (or a scalar) is due: rank 1 or 0")
    return index.dims[0] if index.rank else 1


@op("index_select")
def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Axis dim gets the size of the index, which is a vector."""
    need_index(index)
    size = _count_of_index(index)
    if input.rank is None:
        return fresh_shape(input.shape.with_at(_plain(dim), size), input.dtype, input)
    dim = axis(dim, input.rank)
    if not input.rank:
        need_equal(size, 1, f"the input has no axis, so the index can have only 1 value, here it has {size}")
        return fresh((), input.dtype, input)
    return fresh_shape(input.shape.with_at(dim, size), input.dtype, input)


def _plain(dim: Any) -> int:
    if type(dim) is not int:
        raise Unanswered(f"the axis is {dim}")
    return dim


@op("index_add")
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Tensor:
    """The input's shape; the source has the input's shape with the size of the index at dim."""
    need_index(index)
    return _indexed_in_place(input, dim, index, source)


@op("index_reduce")
def index_reduce(
    input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """The input's shape; the source has the input's shape with the size of the index at dim."""
    if reduce not in _REDUCTIONS[1:]:
        raise CallError(f"reduce is {reduce!r}; one of {', '.join(_REDUCTIONS[1:])} is due")
    need_index(index)
    return _indexed_in_place(input, dim, index, source)


def _indexed_in_place(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    need_same_dtype(("the input", input), ("the source", source))
    expected = _count_of_index(index)
    if input.rank is not None:
        dim = axis(dim, input.rank)
        if source.rank is not None:
            _need_source(input, dim, source, expected)
    return fresh_shape(input.shape, input.dtype, input)


def _need_source(input: Tensor, dim: int, source: Tensor, expected: Size) -> None:
    fitting = Shape(input.dims and (*input.dims[:dim], expected, *input.dims[dim + 1 :]))
    if source.rank != input.rank:
        raise ShapeError(
            f"the source is {source.shape}, its shape must be that of the input with {expected} at dim {dim}: {fitting}"
        )
    for place, (given, wanted) in enumerate(zip(source.dims, fitting, strict=True)):
        of = (
            f"the number of indices ({expected})" if place == dim else f"the size of the input {input.shape} ({wanted})"
        )
        need_equal(given, wanted, f"axis {place} of the source is of size {given}, it must be equal to {of}")


@op("index_copy")
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """The input's shape; the source has the input's shape with the size of the index at dim."""
    need_index(index, dtypes=(int64,))
    need_same_dtype(("the input", input), ("the source", source))
    expected = _count_of_index(index)
    if input.rank is not None:
        dim = axis(dim, input.rank)
        if source.rank == 0:
            need_equal(
                expected, 1, f"the source is a scalar, so the index must have one element, here it has size {expected}"
            )
        elif source.rank is not None and input.rank:
            _need_source(input, dim, source, expected)
    return fresh_shape(input.shape, input.dtype, input)


@op("index_fill")
def index_fill(input: Tensor, dim: int, index: Tensor, value: Tensor | Number) -> Tensor:
    """The input's shape; the value is a number or a tensor without axes."""
    need_index(index, dtypes=(int64,))
    _count_of_index(index)
    if isinstance(value, TensorSpec) and value.rank:
        raise ShapeError(f"the value is {value.shape}, a 0-dimensional tensor or a number is due")
    if isinstance(value, complex) and input.dtype is not None and not input.dtype.is_complex:
        raise DTypeError(f"a complex value does not fit into a {input.dtype} tensor")
    if input.rank is not None:
        axis(dim, input.rank)
    return preserved(input)


@op("take")
def take(input: Tensor, index: Tensor) -> Tensor:
    """The index' shape: elements of the flattened input."""
    need_index(index, dtypes=(int64,))
    if _is_empty(input) and index.rank is not None and at_least(numel(index.dims), 1):
        raise ShapeError(f"the input {input.shape} is empty, there is no element to take")
    return fresh_shape(index.shape, input.dtype, input)


@op("put")
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """The input's shape; index and source have equally many elements."""
    need_index(index, dtypes=(int64,))
    need_same_dtype(("the input", input), ("the source", source))
    if index.rank is not None and source.rank is not None:
        given, expected = numel(source.dims), numel(index.dims)
        need_equal(
            given, expected, f"the source has {given} elements and the index {expected}; both must have the same number"
        )
    return preserved(input)


@op("take_along_dim", traits=Trait.SHAPE_OF_INDEX)
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Like gather, with the axes apart from dim broadcast; without a dim both are flattened."""
    need_index(indices, "indices", (int64,))
    if dim is None:
        return fresh((_flattened(indices),), input.dtype, input)
    if input.rank is None or indices.rank is None:
        return fresh_shape(indices.shape if indices.rank is None else Shape.anything(), input.dtype, input, "unknown")
    if input.rank != indices.rank:
        raise ShapeError(
            f"the input {input.shape} has {input.rank} dimensions and the indices {indices.shape} have {indices.rank}; "
            "both must have the same number"
        )
    dim = axis(dim, input.rank)
    if not input.rank:
        return fresh((), input.dtype, input)
    rest = broadcast_shapes(input.shape.with_at(dim, 1), indices.shape.with_at(dim, 1))
    return fresh_shape(rest.with_at(dim, indices.dims[dim]), input.dtype, input)


def _flattened(indices: Tensor) -> Size:
    """The number of indices; torch makes a view of them, which there is not for every layout."""
    if indices.rank is None:
        return unknown(low=0)
    total, strides = numel(indices.dims), strides_of(indices)
    if strides is not None and isinstance(view_strides(indices.dims, strides, (total,)), Blocked):
        raise LayoutError(
            f"indices of shape {indices.shape} and strides {strides} have no flat view, which is taken without dim: "
            "make them contiguous"
        )
    return total


@op("masked_select")
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """A vector of as many elements as the mask, broadcast with the input, picks: that hangs on the data."""
    if mask.dtype not in (bool_, None):
        raise DTypeError(f"the mask is {mask.dtype}; torch.bool is due")
    broadcast_shapes(input.shape, mask.shape)
    return fresh((unknown("selected", low=0),), input.dtype, input)


@op("masked_scatter")
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The input's shape broadcast with the mask's."""
    if mask.dtype not in (bool_, None):
        raise DTypeError(f"the mask is {mask.dtype}; torch.bool is due")
    need_same_dtype(("the input", input), ("the source", source))
    shape = broadcast_shapes(input.shape, mask.shape)
    plain = input.layout == "contiguous" and mask.layout == "contiguous"
    return fresh_shape(shape, input.dtype, input, "contiguous" if plain else "unknown")


@op("nonzero_static")
def nonzero_static(input: Tensor, *, size: Size, fill_value: int = -1) -> Tensor:
    """(size, rank), int64."""
    if type(size) is int and size < 0:
        raise ShapeError(f"the size is {size}, it must be a non-negative integer")
    return fresh((size, len(input.dims)), int64, input)


@op("unravel_index")
def unravel_index(indices: Tensor, shape: Sizes) -> tuple[Tensor, ...]:
    """One int64 tensor of the indices' shape for each axis of `shape`."""
    if indices.dtype is not None and not indices.dtype.is_integral:
        raise DTypeError(f"indices are {indices.dtype}; an integer dtype is due")
    axes = tuple(shape) if isinstance(shape, (tuple, list, Shape)) else (shape,)
    for size in axes:
        if type(size) is int and size < 0:
            raise ShapeError(f"the shape {axes} has a negative size")
    return (fresh_shape(indices.shape, int64, indices, "unknown"),) * len(axes)


@op("_segment_reduce", "segment_reduce")
def segment_reduce(
    data: Tensor,
    reduce: str,
    *,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: Number | None = None,
) -> Tensor:
    """Axis `axis` of the data becomes one element for each segment, of which lengths or offsets tell the number."""
    if reduce not in ("max", "mean", "min", "sum", "prod"):
        raise CallError(f"reduce is {reduce!r}; one of max, mean, min, sum, prod is due")
    given = offsets if lengths is None else lengths
    if given is None:
        raise CallError("either lengths or offsets must be given")
    if data.dtype is not None and not data.dtype.is_floating:
        raise DTypeError(f"the data is {data.dtype}; a float dtype is due")
    segments = (*given.dims[:-1], given.dims[-1] - (1 if lengths is None else 0))
    return fresh((*segments, *data.dims[len(segments) :]), data.dtype, data)
