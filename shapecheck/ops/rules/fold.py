"""Extracts sliding blocks from an image (`F.unfold`, aten.im2col) and back (`F.fold`, aten.col2im).

The formulas are those of torch.nn.Unfold and torch.nn.Fold: blocks = product over the dimensions of
floor((size + 2 * padding - dilation * (kernel - 1) - 1) / stride) + 1.
"""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Sizes, Tensor, fresh_shape, need_equal
from shapecheck.ops.shared.windows import divided, image, last, need_content, need_room, pooled, settings
from shapecheck.spec import CallError, Shape, Size, VariadicAxes, unknown
from shapecheck.spec.presentation import value_text


@op("F.unfold")
def unfold(input: Tensor, kernel_size: Sizes, dilation: Sizes = 1, padding: Sizes = 0, stride: Sizes = 1) -> Tensor:
    """(n, c, h, w) gives (n, c * kh * kw, blocks); n is optional."""
    kernel, dilations, paddings, strides = _windows(kernel_size, dilation, padding, stride)
    shape = image(input.shape, 2)
    need_content(shape, 2)
    sizes = [
        unknown(low=1)
        if size is None
        else pooled(size, kernel[i], strides[i], paddings[i], dilations[i], ceil_mode=False)
        for i, size in enumerate(last(shape, 2))
    ]
    need_room(sizes, shape)
    channels = shape.at(-3)
    made = (
        unknown(low=1) if channels is None else channels * kernel[0] * kernel[1],
        unknown(low=1) if None in last(shape, 2) else sizes[0] * sizes[1],
    )
    return fresh_shape(_ending(shape, 3, made), input.dtype, input)


@op("aten.im2col")
def im2col(self: Tensor, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> Tensor:
    """As `F.unfold`."""
    return unfold(self, kernel_size, dilation, padding, stride)


@op("fold")
def fold(
    input: Tensor,
    output_size: Sizes,
    kernel_size: Sizes,
    dilation: Sizes = 1,
    padding: Sizes = 0,
    stride: Sizes = 1,
) -> Tensor:
    """(n, c * kh * kw, blocks) gives (n, c, *output_size); n is optional."""
    kernel, dilations, paddings, strides = _windows(kernel_size, dilation, padding, stride)
    out = settings(2, 0, "output_size", _pair(output_size, "output_size"))
    shape = image(input.shape, 1)
    need_content(shape, 1)
    counts = [pooled(out[i], kernel[i], strides[i], paddings[i], dilations[i], ceil_mode=False) for i in range(2)]
    need_room(counts, Shape(out))
    blocks = shape.at(-1)
    if blocks is not None:
        expected = counts[0] * counts[1]
        need_equal(
            blocks,
            expected,
            f"expected the last dimension of the input to be {expected}, got {blocks} "
            f"({counts[0]} * {counts[1]} sliding blocks in an output of size {Shape(out)})",
        )
    channels = shape.at(-2)
    if channels is not None:
        window = kernel[0] * kernel[1]
        channels = divided(channels, window, "dimension -2 of the input", "the product of kernel_size")
    return fresh_shape(_ending(shape, 2, (unknown(low=1) if channels is None else channels, *out)), input.dtype, input)


@op("aten.col2im")
def col2im(
    self: Tensor, output_size: Sizes, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes
) -> Tensor:
    """As `fold`."""
    return fold(self, output_size, kernel_size, dilation, padding, stride)


def _windows(kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> tuple[tuple[Size, ...], ...]:
    return (
        settings(2, 1, "kernel_size", _pair(kernel_size, "kernel_size")),
        settings(2, 1, "dilation", _pair(dilation, "dilation")),
        settings(2, 0, "padding", _pair(padding, "padding")),
        settings(2, 1, "stride", _pair(stride, "stride")),
    )


def _pair(value: Any, name: str) -> Any:
    if isinstance(value, (tuple, list)) and len(value) != 2:
        raise CallError(f"expected {name} to be an integer or 2 integers, got {value_text(value)}")
    return value


def _ending(shape: Shape, gone: int, end: tuple[Size, ...]) -> Shape:
    """The shape with its last `gone` dimensions replaced by others."""
    if shape.run is None:
        return Shape((*shape.head[:-gone], *end))
    if len(shape.tail) >= gone:
        return Shape(shape.head, shape.run, (*shape.tail[:-gone], *end))
    return Shape((), VariadicAxes(), end)
