"""Repeating, rolling and flipping."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Axes, Sizes, Tensor, axes, axis, fresh, fresh_shape, need_equal, size, sizes
from shapecheck.ops.shared.wording import number_of
from shapecheck.ops.traits import Trait
from shapecheck.spec import (
    CallError,
    Dim,
    DTypeError,
    Layout,
    NegativeSizeError,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    VariadicAxes,
    at_least,
    same,
    unknown,
)
from shapecheck.spec.dtype import int32, int64
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import laid_out, numel, preserved, strides_of


@op("repeat", traits=Trait.KEEPS_MAXIMUM | Trait.RESHAPES)
def repeat(input: Tensor, *sizes_: Size, repeats: Sizes | None = None) -> Tensor:
    """Each dimension is repeated that many times; additional repeats in front add dimensions."""
    return _repeated(input, sizes(sizes_ if repeats is None else (repeats,)))


def _repeated(input: Tensor, times: tuple[Size, ...]) -> TensorSpec:
    shape = input.shape
    if shape.least_rank > len(times):
        raise ShapeError(f"expected at least {shape.least_rank} repeats, got {Shape(times)} (input of shape {shape})")
    for count in times:
        if at_least(-1, count):
            raise NegativeSizeError(f"expected repeats to be non-negative, got {Shape(times)}")
    shown = shape.head if shape.run is None else shape.tail
    front = len(times) - len(shown)
    new: list[Size] = [count if shape.run is None else unknown(low=0) for count in times[:front]]
    new += [size * count for size, count in zip(shown, times[front:], strict=True)]
    return fresh(new, input.dtype, input)


@op("tile", traits=Trait.TENSOR_FIRST)
def tile(input: Tensor, *sizes_: Size, dims: Sizes | None = None) -> Tensor:
    """Like repeat, with the repeats counted from the last dimension."""
    times = sizes(sizes_ if dims is None else (dims,))
    if input.rank is None:
        if len(times) > input.shape.least_rank or input.shape.run is None:
            return TensorSpec.make(_open_tile(input.shape, times), input.dtype, "unknown", input.device)
        shape = input.shape
        shown = shape.tail[len(shape.tail) - len(times) :] if len(times) <= len(shape.tail) else None
        if shown is None:
            return TensorSpec.make(_open_tile(shape, times), input.dtype, "unknown", input.device)
        tail = (*shape.tail[: len(shape.tail) - len(times)], *(a * b for a, b in zip(shown, times, strict=True)))
        return fresh_shape(Shape(shape.head, shape.run, tail), input.dtype, input)
    return _repeated(input, (1,) * (input.rank - len(times)) + times)


def _open_tile(shape: Shape, times: tuple[Size, ...]) -> Shape:
    """Where the repeats reach into axes that are not known."""
    shown = min(len(times), len(shape.tail))
    tail = [
        size * count
        for size, count in zip(shape.tail[len(shape.tail) - shown :], times[len(times) - shown :], strict=True)
    ]
    return Shape((), VariadicAxes(), tuple(tail))


@op("repeat_interleave", traits=Trait.TENSOR_FIRST)
def repeat_interleave(
    input: Tensor, repeats: Size | Tensor | None = None, dim: int | None = None, *, output_size: Size | None = None
) -> Tensor:
    """Each element along dim repeated; without dim the input is flattened. Repeats in a tensor hide the size."""
    if repeats is None:
        return _counted(input, output_size)
    if dim is None:
        total: Size = numel(input.dims) if input.rank is not None else unknown(low=0)
        shape, at = Shape((total,)), 0
    else:
        at = axis(dim, input.rank) if input.rank is not None else dim
        shape = input.shape if input.rank != 0 else Shape((1,))
        total = shape.size(at)
    if isinstance(repeats, TensorSpec):
        grown = _by_tensor(repeats, total, output_size)
    else:
        grown = _by_number(repeats, total, output_size)
    result = shape.with_at(at, grown)
    return fresh_shape(Shape(()) if input.rank == 0 and dim is not None and grown == 1 else result, input.dtype, input)


def _by_number(repeats: Any, total: Size, output_size: Size | None) -> Size:
    if isinstance(repeats, (bool, list, tuple)):
        raise CallError(f"expected repeats to be an int or a tensor, got {value_text(repeats)}")
    repeats = size(repeats)
    if at_least(-1, repeats):
        raise NegativeSizeError(f"expected repeats to be non-negative, got {value_text(repeats)}")
    grown: Size = total * repeats
    if output_size is not None:
        need_equal(
            output_size,
            grown,
            f"expected output_size to be {grown} for {total} elements repeated {value_text(repeats)} times, "
            f"got {output_size}",
        )
    return grown


def _by_tensor(repeats: TensorSpec, total: Size, output_size: Size | None) -> Size:
    _need_counts(repeats)
    if repeats.rank is not None and repeats.rank > 1:
        raise ShapeError(f"expected repeats to be 0-D or 1-D, got shape {repeats.shape}")
    if repeats.rank == 1 and repeats.dims[0] != 1:
        given = repeats.dims[0]
        message = f"expected repeats to have {total} elements, the size of the input along dim, or 1, got {given}"
        if same(given, 1) is None and isinstance(given, Dim):
            if same(given, total) is False and at_least(given, 2):
                raise ShapeError(message)
        else:
            need_equal(given, total, message)
    return unknown("repeated", low=0) if output_size is None else output_size


def _need_counts(repeats: TensorSpec) -> None:
    if repeats.dtype not in (int64, int32, None):
        raise DTypeError(f"expected repeats to have dtype torch.int64 or torch.int32, got {repeats.dtype}")


def _counted(repeats: TensorSpec, output_size: Size | None) -> TensorSpec:
    """The indices that a vector of repeats describes."""
    _need_counts(repeats)
    if len(repeats.dims) != 1:
        raise ShapeError(f"expected repeats to be 1-D, got shape {repeats.shape}")
    return fresh((unknown("repeated", low=0) if output_size is None else output_size,), repeats.dtype, repeats)


@op("roll", traits=Trait.TENSOR_FIRST)
def roll(input: Tensor, shifts: Sizes, dims: Axes = ()) -> Tensor:
    """The input's shape."""
    by = tuple(shifts) if isinstance(shifts, (tuple, list)) else (shifts,)
    along = () if dims is None else tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)
    if not by:
        raise CallError("expected at least one shift, got ()")
    if len(by) != len(along) and (along or len(by) != 1):
        raise ShapeError(
            f"expected shifts and dims to have the same number of elements, got {len(by)} and {len(along)}"
        )
    if input.rank is not None:
        if not input.rank and along:
            raise ShapeError(f"dim {value_text(along[0])} is out of range for a 0-D input")
        for dim in along:
            axis(dim, input.rank)
    plain: Layout = "contiguous" if input.layout == "contiguous" or not along else "unknown"
    return fresh_shape(input.shape, input.dtype, input, plain)


@op("flip", traits=Trait.TENSOR_FIRST)
def flip(input: Tensor, *dims_: int, dims: Axes = None) -> Tensor:
    """The input's shape."""
    given: Any = dims_ if dims is None else dims
    if isinstance(given, tuple) and len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = given[0]
    if input.rank is not None:
        axes(given, input.rank)
    return preserved(input)


@op("fliplr")
def fliplr(input: Tensor) -> Tensor:
    """The input's shape."""
    return _flipped(input, 2)


@op("flipud")
def flipud(input: Tensor) -> Tensor:
    """The input's shape."""
    return _flipped(input, 1)


def _flipped(input: Tensor, least: int) -> TensorSpec:
    if input.rank is not None and input.rank < least:
        raise ShapeError(f"expected at least {number_of(least, 'dimension')}, got shape {input.shape}")
    return preserved(input)


@op("rot90")
def rot90(input: Tensor, k: int = 1, dims: Axes = (0, 1)) -> Tensor:
    """The two dimensions are swapped if k is odd."""
    pair = tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)
    if len(pair) != 2:
        raise ShapeError(f"expected dims to have 2 elements, got {value_text(pair)}")
    if len(input.dims) < 2:
        raise ShapeError(f"expected at least 2 dimensions, got shape {input.shape}")
    one, other = (axis(dim, len(input.dims)) for dim in pair)
    if one == other:
        raise ShapeError(f"expected two different dimensions, got dims={value_text(pair)}")
    if not isinstance(k, int):
        raise Unanswered(f"unknown parity of {value_text(k)}")
    if k % 4 == 0:
        return fresh_shape(input.shape, input.dtype, input, "contiguous" if input.layout == "contiguous" else "unknown")
    if k % 2 == 0:
        return preserved(input)
    order = list(range(len(input.dims)))
    order[one], order[other] = order[other], order[one]
    flipped = preserved(input)
    strides = strides_of(flipped)
    turned = None if strides is None else tuple(strides[place] for place in order)
    return laid_out(flipped, tuple(input.dims[place] for place in order), turned)
