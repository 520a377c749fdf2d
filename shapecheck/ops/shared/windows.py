"""Sliding windows over the last axes of (n, c, *sizes) or (c, *sizes): shared by convolutions and pools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from shapecheck.ops.shared.arguments import Sizes, Tensor, per_axis
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import (
    CallError,
    Dim,
    DType,
    Layout,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    at_least,
    minimum,
    quotient,
    unknown,
)

SizesOrUnknown: TypeAlias = Sizes | Unknown
"""A stride, a padding, ...: where it is unknown, the sizes of the result are, but not its rank and channels."""


def image(shape: Shape, count: int, what: str = "the input") -> Shape:
    """The shape of a batch or of one sample with `count` axes that a window slides over; ShapeError for another rank.

    A run that can only be empty is resolved; any other one stays, because a sample may come with or without a batch.
    """
    if shape.run is None:
        if len(shape.head) - count in (1, 2):
            return shape
    elif shape.least_rank < count + 2:
        return shape
    elif shape.least_rank == count + 2:
        return Shape(shape.head + shape.tail)
    rank = shape.least_rank
    expected = f"{count + 2} (a batch) or {count + 1} (one sample)" if rank > count else f"at least {count + 1}"
    raise ShapeError(
        f"{what} has rank {'' if shape.run is None else 'at least '}{rank}, shape {shape}; "
        f"{expected} dimensions are due"
    )


def known(shape: Shape, rank: int, what: str) -> tuple[Size, ...]:
    """The sizes of a shape that must have this rank, with an unknown one for each axis that a run hides."""
    if shape.run is None:
        if len(shape.head) == rank:
            return shape.head
    elif shape.least_rank <= rank:
        hidden = rank - shape.least_rank
        return (*shape.head, *(unknown(low=0) for _ in range(hidden)), *shape.tail)
    least = "" if shape.run is None else "at least "
    raise ShapeError(f"{what} has rank {least}{shape.least_rank}, shape {shape}; {rank} dimensions are due")


def last(shape: Shape, count: int) -> tuple[Size | None, ...]:
    """The last `count` sizes, None for those that a run hides."""
    if shape.run is None:
        return shape.head[-count:]
    return tuple(shape.at(index) for index in range(-count, 0))


def replaced(shape: Shape, sizes: Sequence[Size]) -> Shape:
    """The shape with these as its last sizes."""
    if shape.run is None:
        return Shape((*shape.head[: -len(sizes)], *sizes))
    for index, size in enumerate(reversed(sizes), 1):
        shape = shape.with_at(-index, size)
    return shape


def settings(count: int, least: int, name: str, value: Any) -> tuple[Size, ...]:
    """A stride, padding, dilation or kernel size for each axis; raises CallError where one is smaller than `least`."""
    if type(value) is Unknown:
        return tuple(unknown(low=least) for _ in range(count))
    values = (value,) * count if type(value) is int else per_axis(value, count, name)
    for one in values:
        if one < least if type(one) is int else at_least(one, least) is False:
            expected = "a positive number" if least == 1 else f"at least {least}"
            raise CallError(f"{name} is {value}: {expected} is due")
    return values


def steps(size: Size, kernel: Size, stride: Size, padding: Size, dilation: Size, shape: Shape) -> Size:
    """floor((size + 2 * padding - dilation * (kernel - 1) - 1) / stride) + 1, the places where a window fits.

    The formula is that of torch.nn.Conv2d. Raises ShapeError where the window never fits into this axis of `shape`.
    """
    reach = dilation * (kernel - 1) + 1
    spare = size + 2 * padding - reach
    if spare < 0 if type(spare) is int else at_least(spare, 0) is False:
        spans = f"{kernel}" if reach == kernel else f"{kernel}, which spans {reach} with dilation {dilation},"
        raise ShapeError(
            f"the kernel size {spans} can't be greater than the padded input size {size + 2 * padding} "
            f"(the input is {shape}): the calculated output size is too small"
        )
    return spare // stride + 1


def pooled(size: Size, kernel: Size, stride: Size, padding: Size, dilation: Size, ceil_mode: bool) -> Size:
    """The output size of a pool; with ceil_mode the last window must start inside the input or its left padding.

    The formula is that of torch.nn.MaxPool2d and `pooling_output_shape` in aten/src/ATen/native/Pool.h. There, with
    ceil_mode, out = ceil((size + 2 * padding - reach) / stride) + 1, and one less where (out - 1) * stride is at least
    size + padding. That is the lesser of two quotients with one divisor, hence the quotient of the lesser dividend.
    """
    beyond = padding - dilation * (kernel - 1) - 1  # how far the first window ends behind the left padding, negated
    if not ceil_mode:
        return (size + padding + beyond) // stride + 1
    more = beyond + stride
    if (more >= 0) if type(more) is int else at_least(more, 0):
        more = 0
    elif type(more) is not int and at_least(0, more) is not True:
        more = minimum(more, 0)
    return (size + padding + more + stride - 1) // stride


def need_room(sizes: Iterable[Size], shape: Shape, least: int = 1) -> None:
    """Raises ShapeError where an output size is smaller than `least` for sure."""
    made = tuple(sizes)
    for size in made:
        if size < least if type(size) is int else at_least(size, least) is False:
            raise ShapeError(f"the calculated output size {Shape(made)} is too small (the input is {shape})")


def need_content(shape: Shape, count: int) -> None:
    """Raises ShapeError where an axis other than the batch has no element."""
    for index in range(-count - 1, 0):
        if shape.at(index) == 0:
            raise ShapeError(f"the input is {shape}: every size but that of the batch must be non-zero")


def kept(input: Tensor, count: int = 2) -> Layout:
    """The layout of a result that lies in memory as its input suggests.

    Certain for contiguous inputs and, with `count` 2, for those of rank 4 that are channels_last.
    """
    layout = input.layout
    return layout if layout == "contiguous" or (layout == "channels_last" and count == 2) else "unknown"


def result(input: Tensor, shape: Shape, layout: Layout, dtype: DType | None) -> Tensor:
    """The tensor that an operator makes of `input`."""
    return TensorSpec.make(shape, dtype, layout, input.device)


def scaled(size: Size, factor: Any) -> Size:
    """floor(size * factor) as torch computes it in floating point; unknown where the rounding may matter."""
    if isinstance(factor, (int, Dim)):
        return size * factor
    if isinstance(factor, (Unknown, TensorSpec)):
        return unknown(low=0)
    if not hasattr(factor, "__float__"):
        raise CallError(f"a factor is a number, not {factor!r}")
    if isinstance(size, int):
        return int(size * factor)
    above, below = float(factor).as_integer_ratio()
    # A factor such as 0.5 or 1.25 times a size is exact in a float; 1/3 is not.
    return size * above // below if below <= 1 << 20 and above <= 1 << 20 else unknown(low=0)


def divided(size: Size, by: Size, what: str, divisor: str) -> Size:
    """size / by; raises ShapeError where there is a remainder for sure."""
    left = size % by
    if left if type(left) is int else at_least(left, 1):
        raise ShapeError(f"{what} is {size}, which is not divisible by {divisor}").between(size, divisor)
    return quotient(size, by)


def open_sizes(*given: Any) -> bool:
    """Whether one of a window's numbers is unknown altogether, so that the output sizes are."""
    return Unknown in map(type, given)


def per_axis_tuple(value: Any, count: int, each: bool = False) -> Any:
    """What a layer keeps of `stride=2` or `stride=(2, 2)`: a tuple, whose length only the call checks.

    An unknown value stays one, or with `each` is an unknown number for each axis.
    """
    if type(value) is Unknown and not each:
        return value
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count
