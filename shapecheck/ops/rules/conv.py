"""Convolutions and transposed convolutions.

The formulas are those of the "Shape" sections of torch.nn.Conv2d and torch.nn.ConvTranspose2d; the checks follow
`check_shape_forward` in aten/src/ATen/native/Convolution.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Sizes, Tensor, need_equal, need_rank
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.windows import (
    SizesOrUnknown,
    image,
    known,
    last,
    need_room,
    open_sizes,
    replaced,
    settings,
    steps,
)
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Layout, Shape, ShapeError, Size, TensorSpec, at_least, same, unknown
from shapecheck.spec.dtype import bfloat16, float16, float32
from shapecheck.spec.presentation import value_text

Padding: TypeAlias = Sizes | str
PaddingOrUnknown: TypeAlias = Padding | Unknown
SizeOrUnknown: TypeAlias = Size | Unknown

_LAST_FORMATS = (float32, float16, bfloat16)


@op("conv1d", traits=Trait.AUTOCAST)
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: SizesOrUnknown = 1,
    padding: PaddingOrUnknown = 0,
    dilation: SizesOrUnknown = 1,
    groups: SizeOrUnknown = 1,
) -> Tensor:
    """(n, in, l) with a weight (out, in / groups, k) gives (n, out, steps(l)); n is optional."""
    return convolved(1, input, weight, bias, stride, padding, dilation, groups)


@op("conv2d", traits=Trait.AUTOCAST)
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: SizesOrUnknown = 1,
    padding: PaddingOrUnknown = 0,
    dilation: SizesOrUnknown = 1,
    groups: SizeOrUnknown = 1,
) -> Tensor:
    """(n, in, h, w) with a weight (out, in / groups, kh, kw) gives (n, out, steps(h), steps(w)); n is optional."""
    return convolved(2, input, weight, bias, stride, padding, dilation, groups)


@op("conv3d", traits=Trait.AUTOCAST)
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: SizesOrUnknown = 1,
    padding: PaddingOrUnknown = 0,
    dilation: SizesOrUnknown = 1,
    groups: SizeOrUnknown = 1,
) -> Tensor:
    """(n, in, d, h, w) with a weight (out, in / groups, kd, kh, kw) gives (n, out, steps(d), steps(h), steps(w))."""
    return convolved(3, input, weight, bias, stride, padding, dilation, groups)


@op("conv_transpose1d", traits=Trait.AUTOCAST)
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: SizesOrUnknown = 1,
    padding: SizesOrUnknown = 0,
    output_padding: SizesOrUnknown = 0,
    groups: SizeOrUnknown = 1,
    dilation: SizesOrUnknown = 1,
) -> Tensor:
    """(n, in, l) with a weight (in, out / groups, k) gives (n, out, l'); n is optional.

    l' = (l - 1) * stride - 2 * padding + dilation * (k - 1) + output_padding + 1
    """
    return transposed_convolution(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


@op("conv_transpose2d", traits=Trait.AUTOCAST)
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: SizesOrUnknown = 1,
    padding: SizesOrUnknown = 0,
    output_padding: SizesOrUnknown = 0,
    groups: SizeOrUnknown = 1,
    dilation: SizesOrUnknown = 1,
) -> Tensor:
    """(n, in, h, w) with a weight (in, out / groups, kh, kw) gives (n, out, h', w'), each as in `conv_transpose1d`."""
    return transposed_convolution(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


@op("conv_transpose3d", traits=Trait.AUTOCAST)
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: SizesOrUnknown = 1,
    padding: SizesOrUnknown = 0,
    output_padding: SizesOrUnknown = 0,
    groups: SizeOrUnknown = 1,
    dilation: SizesOrUnknown = 1,
) -> Tensor:
    """(n, in, d, h, w) with a weight (in, out / groups, kd, kh, kw): (n, out, d', h', w'), see `conv_transpose1d`."""
    return transposed_convolution(3, input, weight, bias, stride, padding, output_padding, groups, dilation)


def convolved(
    count: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: SizesOrUnknown,
    padding: PaddingOrUnknown,
    dilation: SizesOrUnknown,
    groups: SizeOrUnknown,
) -> Tensor:
    """A convolution over the last `count` dimensions."""
    kernel = known(weight.shape, count + 2, "the weight")
    shape = image(input.shape, count)
    dtype = need_same_dtype(("input", input), ("weight", weight), ("bias", bias))
    out = kernel[0]
    made = _places(count, shape, kernel, stride, padding, dilation)
    groups = unknown(low=1) if isinstance(groups, Unknown) else groups
    _need_groups(out, groups, weight)
    _need_channels(shape, count, kernel[1] if groups == 1 else kernel[1] * groups, weight, groups)
    if bias is not None:
        need_bias(bias, out)
    sizes = [out, *made]
    return TensorSpec.make(replaced(shape, sizes), dtype, _layout(input, weight, count), input.device)


def transposed_convolution(
    count: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: SizesOrUnknown,
    padding: SizesOrUnknown,
    output_padding: SizesOrUnknown,
    groups: SizeOrUnknown,
    dilation: SizesOrUnknown,
) -> Tensor:
    """A transposed convolution over the last `count` dimensions."""
    kernel = known(weight.shape, count + 2, "the weight")
    shape = image(input.shape, count)
    dtype = need_same_dtype(("input", input), ("weight", weight), ("bias", bias))
    groups = unknown(low=1) if isinstance(groups, Unknown) else groups
    _need_groups(kernel[0], groups, weight)
    _need_channels(shape, count, kernel[0], weight, 1)
    out = kernel[1] * groups
    if bias is not None:
        need_bias(bias, out)
    if open_sizes(stride, padding, dilation, output_padding):
        sizes: list[Size] = [unknown(low=0) for _ in range(count)]
    else:
        sizes = _spread(count, shape, kernel, stride, padding, output_padding, dilation)
    return TensorSpec.make(replaced(shape, [out, *sizes]), dtype, _layout(input, weight, count), input.device)


def _spread(
    count: int, shape: Shape, kernel: Sequence[Size], stride: Any, padding: Any, output_padding: Any, dilation: Any
) -> list[Size]:
    """The output sizes of a transposed convolution."""
    strides = settings(count, 1, "stride", stride)
    paddings = settings(count, 0, "padding", padding)
    dilations = settings(count, 1, "dilation", dilation)
    extra = settings(count, 0, "output_padding", output_padding)
    _need_small(extra, strides, dilations)
    sizes: list[Size] = []
    for index, size in enumerate(last(shape, count)):
        if size is None:
            sizes.append(unknown(low=0))
            continue
        reach = dilations[index] * (kernel[index + 2] - 1) + 1
        sizes.append((size - 1) * strides[index] - 2 * paddings[index] + reach + extra[index])
    need_room(sizes, shape, least=0)  # oneDNN returns an empty result, other backends require at least 1
    return sizes


def _places(count: int, shape: Shape, kernel: Sequence[Size], stride: Any, padding: Any, dilation: Any) -> list[Size]:
    """The output sizes of a convolution."""
    if open_sizes(stride, padding, dilation):
        return [unknown(low=1) for _ in range(count)]
    strides = settings(count, 1, "stride", stride)
    paddings = _named(padding, strides) if isinstance(padding, str) else settings(count, 0, "padding", padding)
    dilations = settings(count, 1, "dilation", dilation)
    made: list[Size] = []
    for index, size in enumerate(last(shape, count)):
        if size is None:
            made.append(unknown(low=1))
        elif paddings is None:
            made.append(size)
        else:
            made.append(steps(size, kernel[index + 2], strides[index], paddings[index], dilations[index], shape))
    return made


def _need_groups(out: Size, groups: Size, weight: Tensor) -> None:
    if groups == 1 and out != 0:
        return
    if at_least(groups, 1) is False:
        raise CallError(f"expected groups to be a positive integer, got {groups}")
    if out == 0:
        raise ShapeError(f"expected the first dimension of the weight to be non-empty, got shape {weight.shape}")
    if same(out % groups, 0) is False:
        what = f"the first dimension of the weight to be divisible by groups={groups}"
        raise ShapeError(f"expected {what}, got {out} (weight of shape {weight.shape})")


def _need_channels(shape: Shape, count: int, taken: Size, weight: Tensor, groups: Size) -> None:
    """Raises ShapeError if the input does not have the number of channels that the weight expects."""
    channels = shape.at(-count - 1)
    if channels is not None and channels is not taken and channels != taken:
        by = f", groups={groups}" if groups != 1 else ""
        axis = len(shape.head) - count - 1 if shape.run is None else -count - 1
        need_equal(
            channels,
            taken,
            f"expected an input with {taken} channels, got {channels} in dimension {axis} of {shape} "
            f"(weight of shape {weight.shape}{by})",
        )


def need_bias(bias: Tensor, out: Size) -> None:
    """Raises ShapeError unless the bias has one value per output channel."""
    need_rank(bias, (1,), "the bias")
    size = bias.shape.at(0) if bias.shape.run is None else None
    if size is not None and size is not out and size != out:
        need_equal(size, out, f"expected a bias of shape {Shape((out,))}, got {Shape((size,))}")


def _named(padding: str, strides: tuple[Size, ...]) -> tuple[Size, ...] | None:
    """The padding of a named mode; None for "same", which keeps every size."""
    if padding == "valid":
        return (0,) * len(strides)
    if padding != "same":
        raise CallError(f'expected padding to be a number, "same" or "valid", got {value_text(padding)}')
    if any(same(stride, 1) is False for stride in strides):
        raise CallError(f'padding="same" requires a stride of 1, got {Shape(strides)}')
    return None


def _need_small(extra: Sequence[Size], strides: Sequence[Size], dilations: Sequence[Size]) -> None:
    for more, stride, dilation in zip(extra, strides, dilations, strict=True):
        if more != 0 and at_least(more, stride) and at_least(more, dilation):
            raise CallError(
                f"expected output_padding to be smaller than stride or dilation, got {more} "
                f"(stride {stride}, dilation {dilation})"
            )


def _layout(input: Tensor, weight: Tensor, count: int) -> Layout:
    layouts = (input.layout, weight.layout)
    if layouts == ("contiguous", "contiguous"):
        return "contiguous"
    if count == 2 and "channels_last" in layouts and input.dtype in _LAST_FORMATS:
        # One of them is enough for oneDNN and cuDNN; a single sample first gets a batch dimension.
        return "channels_last" if input.rank == 4 and "non-contiguous" not in layouts else "unknown"
    return "unknown"
