"""Expands dimensions of size 1 without a copy, and the reverse."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, fresh, need_equal, need_tensors
from shapecheck.ops.shared.arguments import sizes as as_sizes
from shapecheck.ops.shared.open_views import open_sizes
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, Dim, Shape, ShapeError, Size, TensorSpec, broadcast, same, unknown
from shapecheck.spec.dtype import int64
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import laid_out, not_one, strides_of


@op("expand", traits=Trait.KEEPS_MAXIMUM | Trait.FOR_BROADCASTING | Trait.TAKES_SIZES)
def expand(input: Tensor, *sizes: Any, size: Any = None, implicit: object = False) -> Tensor:
    """Expands dimensions of size 1 to the given sizes; -1 keeps a size, additional sizes are new leading dimensions."""
    if (part := open_sizes(_given(sizes, size))) is not None:
        return input.with_shape(_open(input, part))
    wanted = as_sizes(_given(sizes, size))
    if input.shape.run is not None:
        return _expanded_open(input, wanted)
    old = input.shape.head
    new = len(wanted) - len(old)
    if new < 0:
        raise ShapeError(
            f"cannot expand {input.shape} to {Shape(wanted)}: expected at least {len(old)} sizes, got {len(wanted)}"
        )
    for index, one in enumerate(wanted[:new]):
        if type(one) is int and one < 0:
            raise ShapeError(
                f"expected a non-negative size for the new dimension {index}, got {one} in {Shape(wanted)}"
            )
    result = [_expanded(input, wanted, new, index) for index in range(len(old))]
    strides = strides_of(input)
    sizes_now = (*wanted[:new], *result)
    if strides is None:
        return laid_out(input, sizes_now, None)
    kept = [_stride(*each) for each in zip(old, strides, result, strict=True)]
    if None in kept:
        return laid_out(input, sizes_now, None)
    moved: list[Size] = [one for one in kept if one is not None]
    for index in range(new - 1, -1, -1):
        moved.insert(0, (sizes_now[index + 1] * moved[0] if moved else 1) if sizes_now[index] == 1 else 0)
    return laid_out(input, sizes_now, tuple(moved))


def _open(input: Tensor, wanted: Shape) -> Shape:
    """The expanded shape if a stretch of it is unknown."""
    tail = enumerate(wanted.tail, -len(wanted.tail))
    return Shape(
        tuple(unknown(low=0) if one == -1 else one for one in wanted.head),
        wanted.run,
        tuple(_kept(input, at) if one == -1 else one for at, one in tail),
    )


def _kept(input: Tensor, at: int) -> Size:
    """The size of a dimension that is not expanded."""
    known = None if input.rank is not None and input.rank < -at else input.shape.at(at)
    return unknown(low=0) if known is None else known


def _given(sizes: tuple[Any, ...], size: Any) -> tuple[Any, ...]:
    if sizes or size is not None:
        return sizes or (size,)
    raise CallError('missing 1 required positional argument: "size"')


def _stride(old: Size, stride: Size, new: Size) -> Size | None:
    if old == new:
        return stride
    if old == 1:
        return 0
    return stride if not_one(old) else None


def _expanded(input: Tensor, wanted: tuple[Size, ...], new: int, index: int) -> Size:
    old, expected = input.shape.head[index], wanted[new + index]
    if expected in (-1, old):
        return old
    place = index - len(input.shape.head)
    message = f"cannot expand {input.shape} to {Shape(wanted)}: {old} != {expected} in dimension {place}"
    if type(expected) is int and expected < 0:
        raise ShapeError(message)
    if old == 1:
        return expected
    if type(old) is int:
        need_equal(expected, old, message)
        return old
    if same(old, expected) is False and not_one(old):
        raise ShapeError(message)
    return expected


def _expanded_open(input: Tensor, wanted: tuple[Size, ...]) -> Tensor:
    sizes = list(wanted)
    for index in range(-1, -len(wanted) - 1, -1):
        old = input.shape.at(index) if index >= -len(input.shape.tail) else None
        if sizes[index] == -1:
            sizes[index] = unknown(low=0) if old is None else old
        elif type(old) is int and old not in (1, sizes[index]):
            message = f"cannot expand {input.shape} to {Shape(wanted)}: {old} != {sizes[index]} in dimension {index}"
            need_equal(old, sizes[index], message)
    return input.with_shape(Shape(tuple(sizes)))


@op("expand_as", traits=Trait.KEEPS_MAXIMUM | Trait.FOR_BROADCASTING)
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """The input expanded to the shape of `other`."""
    if other.rank is None:
        return input.with_shape(other.shape)
    return expand(input, other.dims)


@op("broadcast_to", traits=Trait.FOR_BROADCASTING | Trait.TAKES_SIZES)
def broadcast_to(input: Tensor, size: Any) -> Tensor:
    """The input expanded to `size`."""
    return expand(input, size)


@op("broadcast_tensors", traits=Trait.SEVERAL_RESULTS)
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """All tensors expanded to the shape they broadcast to."""
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tuple(tensors[0])
    need_tensors(tensors)
    shape = broadcast(*(tensor.shape for tensor in tensors)).shape
    if shape.rank is None:
        return tuple(tensor.with_shape(shape) for tensor in tensors)
    return tuple(_broadcast_one(tensor, shape) for tensor in tensors)


def _broadcast_one(tensor: TensorSpec, shape: Shape) -> TensorSpec:
    if tensor.shape == shape:
        return tensor
    try:
        return expand(tensor, shape.dims)
    except ShapeError:  # a symbolic size is broadcast with a constant: either can be the size of the result
        return tensor.with_shape(shape)


@op("broadcast_shapes")
def broadcast_shapes(*shapes: Any) -> tuple[Size, ...]:
    """The shape that shapes, given as tuples or ints, broadcast to."""
    if not all(isinstance(shape, (tuple, list, Shape, int, Dim)) for shape in shapes):
        raise CallError(f"expected tuples of integers, got {value_text(shapes)}")
    return broadcast(*(Shape(as_sizes((shape,))) for shape in shapes)).shape.dims


@op("sum_to_size")
def sum_to_size(input: Tensor, *sizes: Any, size: Any = None) -> Tensor:
    """The sum over the dimensions that broadcasting from `size` expands."""
    wanted = as_sizes(_given(sizes, size))
    old = input.dims
    new = len(old) - len(wanted)
    message = f"cannot sum {input.shape} to {Shape(wanted)}: {Shape(wanted)} does not broadcast to {input.shape}"
    if new < 0:
        raise ShapeError(message)
    summed = new > 0 or not wanted
    for was, expected in zip(old[new:], wanted, strict=True):
        if was == expected:
            continue
        if expected != 1:
            need_equal(was, expected, message)
        summed = True
    if not summed:
        return input
    dtype = input.dtype
    if dtype is not None and (dtype.is_integral or dtype.kind == "bool"):
        dtype = int64
    return fresh(wanted, dtype, input)
