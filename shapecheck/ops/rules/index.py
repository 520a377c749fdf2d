"""Reading and writing elements by index: gather, scatter, index_*, take, put, masked_select and similar operators."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Number, Sizes, Tensor, axis, fresh, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.ranks import are_ranked
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
from shapecheck.spec.presentation import quoted, value_text
from shapecheck.spec.strides import numel, preserved, strides_of
from shapecheck.spec.view_strides import Blocked, view_strides

_INDEX = (int64, int32)
_REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")
_SEGMENT_REDUCTIONS = ("max", "mean", "min", "sum", "prod")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(quoted, names))


def need_index(index: Tensor, what: str = "the index", dtypes: tuple[DType, ...] = _INDEX) -> None:
    """Raises DTypeError if the dtype is known and not one of `dtypes`."""
    if index.dtype is not None and index.dtype not in dtypes:
        raise DTypeError(f"expected {what} to have dtype {' or '.join(map(str, dtypes))}, got {index.dtype}")


@op("gather", traits=Trait.SHAPE_OF_INDEX)
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: object = False) -> Tensor:
    """The index's shape; except in dim, the index is not larger than the input."""
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
    """The input's shape; the index is not larger than the input except in dim, nor than the source."""
    if reduce not in (None, "add", "multiply"):
        raise CallError(f'expected reduce to be "add" or "multiply", got {value_text(reduce)}')
    return _scattered(input, dim, index, value if src is None else src)


@op("scatter_add")
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """The input's shape; the index is not larger than the input except in dim, nor than the source."""
    _need_tensor(src, "src")
    return _scattered(input, dim, index, src)


@op("scatter_reduce")
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: object = True
) -> Tensor:
    """The input's shape; the index is not larger than the input except in dim, nor than the source."""
    if reduce not in _REDUCTIONS:
        raise CallError(f"expected reduce to be one of {_listed(_REDUCTIONS)}, got {value_text(reduce)}")
    _need_tensor(src, "src")
    return _scattered(input, dim, index, src)


def _scattered(input: Tensor, dim: int, index: Tensor, src: object) -> Tensor:
    if input.rank is not None:
        dim = axis(dim, input.rank)
    from_tensor = isinstance(src, TensorSpec) and src.shape != Shape(())
    if from_tensor:
        need_same_dtype(("input", input), ("src", src))  # type: ignore[arg-type]
    if not _is_empty(index):
        need_index(index)
        _need_no_larger(index, input, "the input", dim)
        if from_tensor:
            _need_no_larger(index, src, "src", None)  # type: ignore[arg-type]
    return fresh_shape(input.shape, input.dtype, input)


def _is_empty(index: Tensor) -> bool:
    return 0 in index.shape.head or 0 in index.shape.tail


def _need_no_larger(index: Tensor, other: Tensor, what: str, dim: int | None) -> None:
    if not are_ranked(index, other):
        return
    if (index.rank or 1) != (other.rank or 1):
        raise ShapeError(
            f"expected the index and {what} to have the same rank, got shapes {index.shape} and {other.shape}"
        )
    for place, (mine, theirs) in enumerate(zip(index.dims or (1,), other.dims or (1,), strict=True)):
        if place != dim and at_least(theirs, mine) is False:
            apart = "" if dim is None else f" except in dimension {dim}"
            raise ShapeError(
                f"the index must not be larger than {what}{apart}: {mine} > {theirs} in dimension {place} "
                f"of {index.shape} and {other.shape}"
            )


def _need_tensor(value: object, name: str) -> None:
    if not isinstance(value, TensorSpec):
        raise CallError(f"expected {name} to be a tensor, got {value_text(value)}")


def _count_of_index(index: Tensor, what: str = "the index") -> Size:
    """How many elements a vector (or a single number) of indices has."""
    if index.rank is None:
        return unknown(low=0)
    if index.rank > 1:
        raise ShapeError(f"expected {what} to be 1-D or 0-D, got shape {index.shape}")
    return index.dims[0] if index.rank else 1


@op("index_select")
def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The size at dim becomes that of the index, which is a vector."""
    need_index(index)
    size = _count_of_index(index)
    if input.rank is None:
        return fresh_shape(input.shape.with_at(_plain(dim), size), input.dtype, input)
    dim = axis(dim, input.rank)
    if not input.rank:
        need_equal(size, 1, f"expected an index with 1 element for a 0-D input, got {size}")
        return fresh((), input.dtype, input)
    return fresh_shape(input.shape.with_at(dim, size), input.dtype, input)


def _plain(dim: Any) -> int:
    if type(dim) is not int:
        raise Unanswered(f"dim is not known: {value_text(dim)}")
    return dim


@op("index_add")
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: object = 1) -> Tensor:
    """The input's shape; the source has the input's shape with the size of the index at dim."""
    need_index(index)
    return _indexed_in_place(input, dim, index, source)


@op("index_reduce")
def index_reduce(
    input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: object = True
) -> Tensor:
    """The input's shape; the source has the input's shape with the size of the index at dim."""
    if reduce not in _REDUCTIONS[1:]:
        raise CallError(f"expected reduce to be one of {_listed(_REDUCTIONS[1:])}, got {value_text(reduce)}")
    need_index(index)
    return _indexed_in_place(input, dim, index, source)


def _indexed_in_place(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    need_same_dtype(("input", input), ("source", source))
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
            f"expected source of shape {fitting} (that of the input with {expected} at dim {dim}), got {source.shape}"
        )
    for place, (given, wanted) in enumerate(zip(source.dims, fitting, strict=True)):
        of = "the number of indices" if place == dim else f"input of shape {input.shape}"
        need_equal(given, wanted, f"expected dimension {place} of source to be {wanted}, got {given} ({of})")


@op("index_copy")
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """The input's shape; the source has the input's shape with the size of the index at dim."""
    need_index(index, dtypes=(int64,))
    need_same_dtype(("input", input), ("source", source))
    expected = _count_of_index(index)
    if input.rank is not None:
        dim = axis(dim, input.rank)
        if source.rank == 0:
            need_equal(expected, 1, f"expected an index with 1 element for a 0-D source, got {expected}")
        elif source.rank is not None and input.rank:
            _need_source(input, dim, source, expected)
    return fresh_shape(input.shape, input.dtype, input)


@op("index_fill")
def index_fill(input: Tensor, dim: int, index: Tensor, value: Tensor | Number) -> Tensor:
    """The input's shape; the value is a number or a tensor without axes."""
    need_index(index, dtypes=(int64,))
    _count_of_index(index)
    if isinstance(value, TensorSpec) and value.rank:
        raise ShapeError(f"expected value to be a number or a 0-D tensor, got shape {value.shape}")
    if isinstance(value, complex) and input.dtype is not None and not input.dtype.is_complex:
        raise DTypeError(f"cannot fill a tensor of dtype {input.dtype} with a complex value")
    if input.rank is not None:
        axis(dim, input.rank)
    return preserved(input)


@op("take")
def take(input: Tensor, index: Tensor) -> Tensor:
    """The index's shape: elements of the flattened input."""
    need_index(index, dtypes=(int64,))
    if _is_empty(input) and index.rank is not None and at_least(numel(index.dims), 1):
        raise ShapeError(f"cannot take elements of an empty input of shape {input.shape}")
    return fresh_shape(index.shape, input.dtype, input)


@op("put")
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: object = False) -> Tensor:
    """The input's shape; index and source have the same number of elements."""
    need_index(index, dtypes=(int64,))
    need_same_dtype(("input", input), ("source", source))
    if index.rank is not None and source.rank is not None:
        given, expected = numel(source.dims), numel(index.dims)
        need_equal(
            given,
            expected,
            f"expected source and index to have the same number of elements, got {given} and {expected}",
        )
    return preserved(input)


@op("take_along_dim", traits=Trait.SHAPE_OF_INDEX)
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Like gather, with the other dimensions broadcast; without a dim both are flattened."""
    need_index(indices, "indices", (int64,))
    if dim is None:
        return fresh((_flattened(indices),), input.dtype, input)
    if input.rank is None or indices.rank is None:
        return fresh_shape(_taken(input.shape, indices.shape, dim), input.dtype, input, "unknown")
    if input.rank != indices.rank:
        raise ShapeError(
            f"expected input and indices to have the same rank, got shapes {input.shape} and {indices.shape}"
        )
    dim = axis(dim, input.rank)
    if not input.rank:
        return fresh((), input.dtype, input)
    return fresh_shape(_taken(input.shape, indices.shape, dim), input.dtype, input)


def _taken(values: Shape, indices: Shape, dim: int) -> Shape:
    """The shape of values and indices, broadcast in all dimensions but one."""
    count = indices.at(dim)
    if count is None or values.at(dim) is None:
        return Shape.anything()
    return broadcast_shapes(values.with_at(dim, 1), indices.with_at(dim, 1)).with_at(dim, count)


def _flattened(indices: Tensor) -> Size:
    """The number of indices; torch takes a flat view of them, which not every layout has."""
    if indices.rank is None:
        return unknown(low=0)
    total, strides = numel(indices.dims), strides_of(indices)
    if strides is not None and isinstance(view_strides(indices.dims, strides, (total,)), Blocked):
        raise LayoutError(
            f"cannot flatten indices of shape {indices.shape} with strides {Shape(strides)} without a copy; "
            "use contiguous() or pass dim"
        )
    return total


@op("masked_select")
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """A vector of the elements that the mask, broadcast with the input, selects: its size depends on the data."""
    if mask.dtype not in (bool_, None):
        raise DTypeError(f"expected the mask to have dtype torch.bool, got {mask.dtype}")
    broadcast_shapes(input.shape, mask.shape)
    return fresh((unknown("selected", low=0),), input.dtype, input)


@op("masked_scatter")
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The input's shape broadcast with the mask's."""
    if mask.dtype not in (bool_, None):
        raise DTypeError(f"expected the mask to have dtype torch.bool, got {mask.dtype}")
    need_same_dtype(("input", input), ("source", source))
    shape = broadcast_shapes(input.shape, mask.shape)
    plain = input.layout == "contiguous" and mask.layout == "contiguous"
    return fresh_shape(shape, input.dtype, input, "contiguous" if plain else "unknown")


@op("nonzero_static")
def nonzero_static(input: Tensor, *, size: Size, fill_value: object = -1) -> Tensor:
    """(size, rank), int64."""
    if type(size) is int and size < 0:
        raise ShapeError(f"expected size to be non-negative, got {size}")
    return fresh((size, len(input.dims)), int64, input)


@op("unravel_index")
def unravel_index(indices: Tensor, shape: Sizes) -> tuple[Tensor, ...]:
    """One int64 tensor of the indices' shape for each axis of `shape`."""
    if indices.dtype is not None and not indices.dtype.is_integral:
        raise DTypeError(f"expected indices to have an integer dtype, got {indices.dtype}")
    axes = tuple(shape) if isinstance(shape, (tuple, list, Shape)) else (shape,)
    for size in axes:
        if type(size) is int and size < 0:
            raise ShapeError(f"expected shape to have non-negative sizes, got {value_text(axes)}")
    return (fresh_shape(indices.shape, int64, indices, "unknown"),) * len(axes)


@op("_segment_reduce", "segment_reduce")
def segment_reduce(
    data: Tensor,
    reduce: str,
    *,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: object = 0,
    unsafe: object = False,
    initial: object = None,
) -> Tensor:
    """Dimension `axis` of the data becomes one element per segment; lengths or offsets define the segments."""
    if reduce not in _SEGMENT_REDUCTIONS:
        raise CallError(f"expected reduce to be one of {_listed(_SEGMENT_REDUCTIONS)}, got {value_text(reduce)}")
    given = offsets if lengths is None else lengths
    if given is None:
        raise CallError("expected either lengths or offsets, got neither")
    if data.dtype is not None and not data.dtype.is_floating:
        raise DTypeError(f"expected data to have a floating-point dtype, got {data.dtype}")
    segments = (*given.dims[:-1], given.dims[-1] - (1 if lengths is None else 0))
    return fresh((*segments, *data.dims[len(segments) :]), data.dtype, data)
