"""Reorders the dimensions of a tensor, or adds and removes dimensions of size 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shapecheck.ops.assumptions import has_shape
from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Axes, Tensor, axes, axis, need_tensors
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Shape, ShapeError, Size, TensorSpec, Unanswered, VariadicAxes, same, unknown
from shapecheck.spec.presentation import quoted, value_text
from shapecheck.spec.strides import laid_out, strides_of


def permuted(input: Tensor, order: Sequence[int]) -> Tensor:
    """A tensor of known rank with its dimensions in this order."""
    sizes, strides = input.dims, strides_of(input)
    moved = None if strides is None else tuple([strides[index] for index in order])
    return laid_out(input, tuple([sizes[index] for index in order]), moved)


@op("permute", traits=Trait.TENSOR_FIRST | Trait.MOVES_AXES)
def permute(input: Tensor, *args: Any, dims: Any = None) -> Tensor:
    """The dimensions in the order `dims`: (b, h, w, c) with 0, 3, 1, 2 gives (b, c, h, w)."""
    if not args and dims is None:
        raise CallError('missing 1 required positional argument: "dims"')
    order = args or (dims,)
    if len(order) == 1 and isinstance(order[0], Unknown):
        raise Unanswered("unknown order of dimensions")
    if len(order) == 1 and isinstance(order[0], (tuple, list)):
        order = tuple(order[0])
    if input.rank is None:
        input = _of_rank(input, len(order))
    rank = len(input.dims)
    if len(order) != rank:
        given = value_text(tuple(order))
        raise ShapeError(f"expected dims to have length {rank}, got {given} (input of shape {input.shape})")
    return permuted(input, [axis(index, rank) for index in order] if rank == 0 else axes(order, rank))


def _of_rank(input: Tensor, rank: int) -> Tensor:
    """The input, which is known to have this rank."""
    shape = input.shape
    missing = rank - shape.least_rank
    if missing < 0:
        raise ShapeError(
            f"expected dims to have length {shape.least_rank} or more, got {rank} (input of shape {shape})"
        )
    hidden = tuple(unknown(low=0) for _ in range(missing))
    known = Shape((*shape.head, *hidden, *shape.tail))
    has_shape(shape, known)
    return input.with_shape(known, input.layout)


@op(
    "transpose",
    "swapaxes",
    "swapdims",
    "transpose_",
    "swapaxes_",
    "swapdims_",
    traits=Trait.TENSOR_FIRST | Trait.RESHAPES_IN_PLACE | Trait.MOVES_AXES,
)
def transpose(
    input: Tensor,
    dim0: int | None = None,
    dim1: int | None = None,
    *,
    axis0: int | None = None,
    axis1: int | None = None,
) -> Tensor:
    """Swaps two dimensions: (b, t, h, d) with 1 and 2 gives (b, h, t, d)."""
    dim0 = dim0 if axis0 is None else axis0
    dim1 = dim1 if axis1 is None else axis1
    if dim0 is None or dim1 is None:
        missing = [name for name, dim in (("dim0", dim0), ("dim1", dim1)) if dim is None]
        count = "1 required positional argument" if len(missing) == 1 else "2 required positional arguments"
        raise CallError(f"missing {count}: {' and '.join(map(quoted, missing))}")
    if input.rank is None:
        return input.with_shape(_swapped(input.shape, dim0, dim1))
    rank = len(input.dims)
    first, second = axis(dim0, rank), axis(dim1, rank)
    if first == second:
        return input
    order = list(range(rank))
    order[first], order[second] = second, first
    return permuted(input, order)


def _swapped(shape: Shape, one: int, other: int) -> Shape:
    if (one < 0) == (other < 0):
        first, second = shape.size(one), shape.size(other)
        return shape.with_at(one, second).with_at(other, first)
    front, back = (one, other) if one >= 0 else (other, one)
    if front < len(shape.head) and -back <= len(shape.tail):
        first, second = shape.size(front), shape.size(back)
        return shape.with_at(front, second).with_at(back, first)
    # The run may be short: `front` may be among the last dimensions, and `back` among the first.
    before = min(front, max(shape.least_rank + back, 0))
    after = max(front - len(shape.head), len(shape.tail) + back, -1) + 1
    return Shape(shape.head[:before], VariadicAxes(), shape.tail[after:])


@op("t", "t_", traits=Trait.RESHAPES_IN_PLACE | Trait.MOVES_AXES)
def t(input: Tensor) -> Tensor:
    """(n, m) gives (m, n); a tensor of lower rank is unchanged."""
    if input.rank is not None and input.rank > 2:
        raise ShapeError(f"expected at most 2 dimensions, got shape {input.shape}")
    return _reversed(input)


@op("T", "numpy_T", traits=Trait.MOVES_AXES)
def reversed_axes(input: Tensor) -> Tensor:
    """All dimensions in reverse order."""
    return _reversed(input)


def _reversed(input: Tensor) -> Tensor:
    shape = input.shape
    if shape.run is not None:
        return input.with_shape(Shape(shape.tail[::-1], VariadicAxes(), shape.head[::-1]))
    rank = len(shape.head)
    return input if rank < 2 else permuted(input, range(rank - 1, -1, -1))


@op("adjoint", traits=Trait.MOVES_AXES)
@op("mH", "matrix_H", traits=Trait.MOVES_AXES)
@op("mT", traits=Trait.MOVES_AXES)
def matrix_transposed(input: Tensor) -> Tensor:
    """(..., n, m) gives (..., m, n)."""
    if input.rank == 1:
        raise ShapeError(f"expected at least 2 dimensions, got shape {input.shape}")
    return input if input.rank == 0 else transpose(input, -2, -1)


@op("H", traits=Trait.MOVES_AXES)
def conjugate_transposed(input: Tensor) -> Tensor:
    """(n, m) gives (m, n), conjugated."""
    if input.rank not in (0, 2, None):
        raise ShapeError(f"expected a 2-D input, got shape {input.shape}")
    return _reversed(input)


@op("movedim", "moveaxis", traits=Trait.TENSOR_FIRST | Trait.MOVES_AXES)
def movedim(input: Tensor, source: Axes, destination: Axes) -> Tensor:
    """Moves the dimensions `source` to `destination`; the others keep their order."""
    rank = len(input.dims)
    sources, destinations = axes(source, rank), axes(destination, rank)
    if len(sources) != len(destinations):
        raise ShapeError(
            "expected source and destination to have the same length, "
            f"got {value_text(source)} and {value_text(destination)}"
        )
    if rank < 2:
        return input
    order: list[int] = [-1] * rank
    for before, after in zip(sources, destinations, strict=True):
        order[after] = before
    others = iter(index for index in range(rank) if index not in sources)
    return permuted(input, [next(others) if index < 0 else index for index in order])


@op("squeeze", "squeeze_", traits=Trait.TENSOR_FIRST | Trait.RESHAPES_IN_PLACE)
def squeeze(input: Tensor, dim: Axes = None) -> Tensor:
    """Removes the dimensions of size 1: all of them, or those in `dim`.

    A symbolic size may be 1: the result then has an unknown number of dimensions in its place.
    """
    shape = input.shape
    if shape.run is not None:
        return input.with_shape(_squeezed_open(shape, dim), "contiguous" if input.layout == "contiguous" else "unknown")
    rank = len(shape.head)
    chosen = set(axes(dim, rank))
    if rank == 0:
        return input
    gone = [same(shape.head[index], 1) if index in chosen else False for index in range(rank)]
    if None in gone:
        first, last = gone.index(None), rank - gone[::-1].index(None)
        kept = [index for index in range(rank) if not gone[index]]
        head = tuple(shape.head[index] for index in kept if index < first)
        tail = tuple(shape.head[index] for index in kept if index >= last)
        return input.with_shape(
            Shape(head, VariadicAxes(), tail), "contiguous" if input.layout == "contiguous" else "unknown"
        )
    return _taken(input, [index for index in range(rank) if not gone[index]])


def _squeezed_open(shape: Shape, dim: Axes) -> Shape:
    """Without the dimension if its size is 1; where that is unknown, with a run of unknown length in its place."""
    if dim is None or not isinstance(dim, int):
        return Shape.anything()
    size = shape.at(dim)
    one = None if size is None else same(size, 1)
    if one is not None:
        return shape.without(dim) if one else shape
    # Only dimensions that lie before it in any case keep their places at the front, and those after it at the back.
    first, last = dim - len(shape.head), len(shape.tail) + dim
    if dim >= 0:
        return Shape(shape.head[:dim], VariadicAxes(), shape.tail[max(first + 1, 0) :])
    before = shape.head if size is not None else shape.head[: max(len(shape.head) + last, 0)]
    return Shape(before, VariadicAxes(), shape.tail[max(last + 1, 0) :])


def _taken(input: Tensor, kept: Sequence[int]) -> Tensor:
    return input if len(kept) == len(input.dims) else permuted(input, kept)


@op(
    "unsqueeze",
    "unsqueeze_",
    traits=Trait.KEEPS_MAXIMUM | Trait.FOR_BROADCASTING | Trait.TENSOR_FIRST | Trait.RESHAPES_IN_PLACE,
)
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Inserts a dimension of size 1 at `dim`."""
    shape = input.shape
    if shape.run is not None:
        return input.with_shape(shape.inserted(dim, 1), "contiguous" if input.layout == "contiguous" else "unknown")
    rank = len(shape.head)
    at = axis(dim, rank + 1, "the result")
    sizes = (*shape.head[:at], 1, *shape.head[at:])
    if input.layout == "contiguous" and input.strides is None:
        return TensorSpec.make(Shape(sizes), input.dtype, "contiguous", input.device)
    strides = strides_of(input)
    if strides is None:
        return laid_out(input, sizes, None)
    stride: Size = 1 if at == rank else shape.head[at] * strides[at]
    return laid_out(input, sizes, (*strides[:at], stride, *strides[at:]))


def _atleast(rank: int, place: Callable[[Tensor], Tensor], name: str) -> None:
    def rule(*tensors: Any) -> Any:
        """Adds dimensions of size 1 up to the rank."""
        if len(tensors) == 1:
            only = tensors[0]
            tensors = tuple(only) if isinstance(only, (tuple, list)) else tensors
            need_tensors(tensors)
            return place(only) if tensors[0] is only else tuple(map(place, tensors))
        need_tensors(tensors)
        return tuple(map(place, tensors))

    op(name)(rule)


def _atleast_1d(input: Tensor) -> Tensor:
    return unsqueeze(input, 0) if len(input.dims) < 1 else input


def _atleast_2d(input: Tensor) -> Tensor:
    input = _atleast_1d(input)
    return unsqueeze(input, 0) if len(input.dims) < 2 else input


def _atleast_3d(input: Tensor) -> Tensor:
    input = _atleast_2d(input)
    return unsqueeze(input, -1) if len(input.dims) < 3 else input


for _rank, _place in enumerate((_atleast_1d, _atleast_2d, _atleast_3d), 1):
    _atleast(_rank, _place, f"atleast_{_rank}d")
