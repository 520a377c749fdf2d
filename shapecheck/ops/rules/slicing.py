"""Views of a region of a tensor: select, narrow, slice, diagonal, unfold, as_strided.

Also copies of a tensor with that region replaced: select_scatter, slice_scatter and so on.
"""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, axis, need_equal
from shapecheck.ops.shared.arguments import size as as_size
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, Dim, Shape, ShapeError, Size, TensorSpec, at_least, maximum, minimum, unknown
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import laid_out, preserved, strides_of


def sliced_size(size: Size, start: Any, end: Any, step: Size = 1) -> Size:
    """The number of elements in `[start:end:step]` of a dimension of this size, as Python and torch clamp them.

    An unknown size, at least 0, if a symbolic end may be out of range and no minimum expresses it. A slice that is
    written for one element, such as `[2:3]` or `[t:t+1]`, is taken to have it, if the dimension is not known to be
    shorter.
    """
    if isinstance(size, Dim) and step == 1 and _selects_one(start, end) and not at_least(start or 0, size):
        return 1
    first = 0 if start is None else _clamped(as_size(start), size)
    last = size if end is None else _clamped(as_size(end), size)
    length = last if first == 0 else _not_negative(last - first)  # neither a clamped bound nor a size is negative
    if step == 1:
        return length
    if isinstance(length, Dim) or isinstance(step, Dim):
        return (length + step - 1) // step
    return -(-length // step)


def _selects_one(start: object, end: object) -> bool:
    """Whether the bounds of a slice select one element: `[:1]`, `[2:3]`, `[-1:]`, `[t:t+1]` of a non-negative t."""
    first = 0 if start is None else start
    if isinstance(first, Dim) and isinstance(end, Dim):
        return end - first == 1 and at_least(first, 0) is True
    if type(first) is not int:
        return False
    if end is None:
        return first == -1
    return type(end) is int and end - first == 1 and end != 0


def _clamped(bound: Size, size: Size) -> Size:
    """A bound as an offset from 0, no less than 0 and no more than the size."""
    if type(bound) is int and type(size) is int:
        return min(max(bound + size if bound < 0 else bound, 0), size)
    negative = not at_least(bound, 0)
    if negative and (at_least(bound, 0) is None and at_least(-1, bound) is None):
        return unknown(low=0)
    offset = size + bound if negative else bound
    if at_least(offset, 0) is not True:
        offset = maximum(offset, 0)
    return offset if at_least(size, offset) else minimum(offset, size)


def _not_negative(length: Size) -> Size:
    return length if at_least(length, 0) else maximum(length, 0)


@op("select")
def select(input: Tensor, dim: int, index: Any) -> Tensor:
    """One index of a dimension, which the result lacks."""
    if input.rank is None:
        return input.with_shape(input.shape.without(dim))
    sizes = input.dims
    if not sizes:
        raise ShapeError("select() cannot be used with a 0-D input")
    at = axis(dim, len(sizes))
    if not isinstance(index, TensorSpec):
        need_in_range(as_size(index), sizes[at], f"dimension {at} of {input.shape}")
    strides = strides_of(input)
    rest = None if strides is None else strides[:at] + strides[at + 1 :]
    return laid_out(input, sizes[:at] + sizes[at + 1 :], rest)


def need_in_range(place: Size, size: Size, where: str = "a dimension") -> None:
    """Raises ShapeError if a dimension of this size has no element at `place` (negative: from the end)."""
    if at_least(place, size) or at_least(-1 - size, place):
        raise ShapeError(f"index {place} is out of range for {where} with size {size}")


@op("narrow")
def narrow(input: Tensor, dim: int, start: Any, length: Size) -> Tensor:
    """`length` elements of a dimension, starting at `start`."""
    length = as_size(length)
    if input.rank is None:
        return input.with_shape(input.shape.with_at(dim, length))
    sizes = input.dims
    if not sizes:
        raise ShapeError("narrow() cannot be used with a 0-D input")
    at = axis(dim, len(sizes))
    size = sizes[at]
    if at_least(-1, length):
        raise ShapeError(f"expected length to be non-negative, got {length}")
    if isinstance(start, TensorSpec):
        if start.rank not in (0, None) or (start.dtype is not None and not start.dtype.is_integral):
            raise ShapeError(f"expected start to be an int or a 0-D integer tensor, got {value_text(start)}")
        start = 0
    _need_part(as_size(start), length, size, at)
    return laid_out(input, (*sizes[:at], length, *sizes[at + 1 :]), strides_of(input))


def _need_part(start: Size, length: Size, size: Size, at: int) -> None:
    if at_least(start, size + 1) or at_least(-1 - size, start):
        raise ShapeError(f"start {start} is out of range for dimension {at} with size {size}")
    if at_least(-1, start):
        start = start + size
    if at_least(start, 0) and at_least(start + length, size + 1):
        raise ShapeError(f"start {start} and length {length} exceed dimension {at} with size {size}")


@op("slice")
def slice_(input: Tensor, dim: int = 0, start: Size | None = None, end: Size | None = None, step: Size = 1) -> Tensor:
    """Every `step`th element of a dimension from `start` to before `end`."""
    if at_least(0, as_size(step)):
        raise ShapeError(f"expected step to be positive, got {step}")
    if input.rank is None:
        size = input.shape.at(dim)
        length = unknown(low=0) if size is None else sliced_size(size, start, end, step)
        return input.with_shape(input.shape.with_at(dim, length))
    sizes = input.dims
    if not sizes:
        raise ShapeError("slice() cannot be used with a 0-D input")
    at = axis(dim, len(sizes))
    length = sliced_size(sizes[at], start, end, step)
    strides = strides_of(input)
    if strides is not None and step != 1:
        strides = (*strides[:at], strides[at] * step, *strides[at + 1 :])
    return laid_out(input, (*sizes[:at], length, *sizes[at + 1 :]), strides)


@op("diagonal")
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal of two dimensions as the last one."""
    sizes = input.dims
    first, second = axis(dim1, len(sizes)), axis(dim2, len(sizes))
    if first == second:
        raise ShapeError(f"expected two different dimensions, got dim1={dim1} and dim2={dim2}")
    rows, columns = sizes[first], sizes[second]
    length = minimum(rows, columns - offset) if offset >= 0 else minimum(rows + offset, columns)
    rest = [index for index in range(len(sizes)) if index not in (first, second)]
    strides = strides_of(input)
    moved = None
    if strides is not None:
        moved = (*(strides[index] for index in rest), strides[first] + strides[second])
    return laid_out(input, (*(sizes[index] for index in rest), _not_negative(length)), moved)


@op("linalg.diagonal")
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The diagonals of a batch of matrices: (..., n, n) gives (..., n)."""
    return diagonal(A, offset, dim1, dim2)


@op("unfold", "Tensor.unfold")
def unfold(input: Tensor, dimension: int, size: Size, step: Size) -> Tensor:
    """Windows of a dimension: n elements give (n - size)//step + 1 windows of a new last dimension of `size`."""
    size, step = as_size(size), as_size(step)
    if at_least(-1, size):
        raise ShapeError(f"expected size to be non-negative, got {size}")
    if at_least(0, step):
        raise ShapeError(f"expected step to be positive, got {step}")
    if input.rank is None:
        raise_if_more(size, input.shape.at(dimension), dimension)
        whole = input.shape.size(dimension)
        return input.with_shape(input.shape.with_at(dimension, (whole - size) // step + 1).inserted(-1, size))
    sizes = input.dims
    at = axis(dimension, len(sizes))
    whole = sizes[at] if sizes else 1
    raise_if_more(size, whole, at)
    strides = strides_of(input)
    if not sizes:
        return laid_out(input, (size,), (1,))
    windows = (whole - size) // step + 1
    moved = None if strides is None else (*strides[:at], strides[at] * step, *strides[at + 1 :], strides[at])
    return laid_out(input, (*sizes[:at], windows, *sizes[at + 1 :], size), moved)


def raise_if_more(size: Size, whole: Size | None, at: int) -> None:
    """Raises ShapeError if a window is known to be larger than its dimension."""
    if whole is not None and at_least(size, whole + 1):
        raise ShapeError(f"expected size to be at most {whole}, the size of dimension {at}, got {size}")


@op("as_strided", "as_strided_", traits=Trait.RESHAPES_IN_PLACE)
def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: object = None) -> Tensor:
    """The storage read with these sizes and strides."""
    sizes, strides = tuple(map(as_size, _several(size))), tuple(map(as_size, _several(stride)))
    if len(sizes) != len(strides):
        raise ShapeError(
            f"expected size and stride to have the same number of elements, got {len(sizes)} and {len(strides)}"
        )
    for name, values in (("size", sizes), ("stride", strides)):
        if any(at_least(-1, one) for one in values):
            raise ShapeError(f"expected {name} to be non-negative, got {Shape(values)}")
    return laid_out(input, sizes, strides)


def _several(value: Any) -> tuple[Any, ...]:
    if isinstance(value, TensorSpec):
        raise CallError(f"expected size and stride to be ints, got {value_text(value)}")
    return tuple(value) if isinstance(value, (tuple, list, Shape)) else (value,)


def _replaced(input: Tensor, src: Tensor, part: Tensor) -> Tensor:
    """A copy of the input in which `src` replaces the part."""
    expected, given = part.shape, src.shape
    if expected.run is None and given.run is None:
        message = f"expected src of shape {expected}, the shape of the region it replaces, got {given}"
        if len(expected.head) != len(given.head):
            raise ShapeError(message)
        for one, other in zip(expected.head, given.head, strict=True):
            need_equal(one, other, message)
    return preserved(input)


@op("select_scatter")
def select_scatter(input: Tensor, src: Tensor, dim: int, index: Any) -> Tensor:
    """A copy of the input with `src` at one index of a dimension."""
    return _replaced(input, src, select(input, dim, index))


@op("slice_scatter")
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: Size | None = None, end: Size | None = None, step: Size = 1
) -> Tensor:
    """A copy of the input with `src` in a slice of a dimension."""
    return _replaced(input, src, slice_(input, dim, start, end, step))


@op("diagonal_scatter")
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """A copy of the input with `src` on a diagonal."""
    return _replaced(input, src, diagonal(input, offset, dim1, dim2))


@op("as_strided_scatter")
def as_strided_scatter(input: Tensor, src: Tensor, size: Any, stride: Any, storage_offset: Any = None) -> Tensor:
    """A copy of the input with `src` in the elements that as_strided selects."""
    return _replaced(input, src, as_strided(input, size, stride, storage_offset))
