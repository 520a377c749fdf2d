"""Sliding windows over the last dimensions of (n, c, *sizes) or (c, *sizes): shared by convolutions and pools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from shapecheck.ops.assumptions import has_shape
from shapecheck.ops.shared.arguments import Sizes, Tensor, per_axis
from shapecheck.ops.shared.wording import wrong_rank
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
from shapecheck.spec.presentation import value_text

SizesOrUnknown: TypeAlias = Sizes | Unknown
"""A stride, a padding, ...: if it is unknown, so are the sizes of the result, but not its rank and channels."""


def image(shape: Shape, count: int, what: str = "the input") -> Shape:
    """The shape of a batch or of one sample with `count` dimensions to slide over; ShapeError for another rank.

    A run that must be empty is removed; any other one is kept, because a batch dimension is optional.
    """
    if shape.run is None:
        if len(shape.head) - count in (1, 2):
            return shape
    elif shape.least_rank < count + 2:
        return shape
    elif shape.least_rank == count + 2:
        return Shape(shape.head + shape.tail)
    raise ShapeError(wrong_rank(what, (count + 1, count + 2), shape))


def known(shape: Shape, rank: int, what: str) -> tuple[Size, ...]:
    """The sizes of a shape that must have this rank, with an unknown one for each dimension that a run hides."""
    if shape.run is None:
        if len(shape.head) == rank:
            return shape.head
    elif shape.least_rank <= rank:
        hidden = rank - shape.least_rank
        dims = (*shape.head, *(unknown(low=0) for _ in range(hidden)), *shape.tail)
        has_shape(shape, Shape(dims))
        return dims
    raise ShapeError(wrong_rank(what, (rank,), shape))


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
    """A stride, padding, dilation or kernel size per dimension; raises CallError if one is smaller than `least`."""
    if type(value) is Unknown:
        return tuple(unknown(low=least) for _ in range(count))
    values = (value,) * count if type(value) is int else per_axis(value, count, name)
    for one in values:
        if one < least if type(one) is int else at_least(one, least) is False:
            raise CallError(f"expected {name} to be at least {least}, got {value_text(value)}")
    return values


def steps(size: Size, kernel: Size, stride: Size, padding: Size, dilation: Size, shape: Shape) -> Size:
    """floor((size + 2 * padding - dilation * (kernel - 1) - 1) / stride) + 1, the number of positions of the window.

    The formula is that of torch.nn.Conv2d. Raises ShapeError if the window never fits into this dimension of `shape`.
    """
    reach = dilation * (kernel - 1) + 1
    spare = size + 2 * padding - reach
    if spare < 0 if type(spare) is int else at_least(spare, 0) is False:
        spans = "" if reach == kernel else f" (it spans {value_text(reach)} with dilation {value_text(dilation)})"
        raise ShapeError(
            f"kernel size {value_text(kernel)}{spans} is greater than the padded input size "
            f"{value_text(size + 2 * padding)} (input of shape {shape})"
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
    """Raises ShapeError if an output size is known to be smaller than `least`."""
    made = tuple(sizes)
    for size in made:
        if size < least if type(size) is int else at_least(size, least) is False:
            raise ShapeError(f"expected output sizes of at least {least}, got {Shape(made)} (input of shape {shape})")


def need_content(shape: Shape, count: int) -> None:
    """Raises ShapeError if a dimension other than the batch is empty."""
    for index in range(-count - 1, 0):
        if shape.at(index) == 0:
            raise ShapeError(f"expected every size except the batch size to be non-zero, got shape {shape}")


def kept(input: Tensor, count: int = 2) -> Layout:
    """The layout of a result that keeps the memory format of its input.

    Certain for contiguous inputs and, with `count` 2, for those of rank 4 that are channels_last.
    """
    layout = input.layout
    return layout if layout == "contiguous" or (layout == "channels_last" and count == 2) else "unknown"


def result(input: Tensor, shape: Shape, layout: Layout, dtype: DType | None) -> Tensor:
    """The result of an operator on `input`."""
    return TensorSpec.make(shape, dtype, layout, input.device)


def scaled(size: Size, factor: Any) -> Size:
    """floor(size * factor) as torch computes it in floating point; unknown if the rounding may matter."""
    if isinstance(factor, (int, Dim)):
        return size * factor
    if isinstance(factor, (Unknown, TensorSpec)):
        return unknown(low=0)
    if not hasattr(factor, "__float__"):
        raise CallError(f"expected a scale factor to be a number, got {value_text(factor)}")
    if isinstance(size, int):
        return int(size * factor)
    above, below = float(factor).as_integer_ratio()
    # A factor such as 0.5 or 1.25 times a size is exact in a float; 1/3 is not.
    return size * above // below if below <= 1 << 20 and above <= 1 << 20 else unknown(low=0)


def divided(size: Size, by: Size, what: str, divisor: str) -> Size:
    """size / by; raises ShapeError if there is known to be a remainder.

    what, divisor: names for the message, such as "in_channels" and "groups".
    """
    left = size % by
    if left if type(left) is int else at_least(left, 1):
        numbers = f"{value_text(size)} and {value_text(by)}"
        raise ShapeError(f"expected {what} to be divisible by {divisor}, got {numbers}").between(size, divisor)
    return quotient(size, by)


def open_sizes(*given: Any) -> bool:
    """Whether one of a window's settings is unknown, so that the output sizes are."""
    return Unknown in map(type, given)


def per_axis_tuple(value: Any, count: int, each: bool = False) -> Any:
    """What a layer stores for `stride=2` or `stride=(2, 2)`: a tuple, whose length only the call checks.

    An unknown value is kept, or with `each` becomes an unknown number per dimension.
    """
    if type(value) is Unknown and not each:
        return value
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count
