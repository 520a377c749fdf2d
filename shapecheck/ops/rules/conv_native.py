"""Convolutions under their ATen names, their gradients, and `conv_tbc`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from shapecheck.ops.registry import op
from shapecheck.ops.rules.conv import PaddingOrUnknown, SizeOrUnknown, convolved, need_bias, transposed_convolution
from shapecheck.ops.shared.arguments import Tensor, fresh, need_equal, need_rank
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.windows import (
    SizesOrUnknown,
    known,
    result,
)
from shapecheck.spec import ShapeError, Size, at_least

Gradients: TypeAlias = tuple[Tensor | None, Tensor | None, Tensor | None]


@op("convolution", "_convolution", "convolution_overrideable")
def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: SizesOrUnknown,
    padding: SizesOrUnknown,
    dilation: SizesOrUnknown,
    transposed: bool,
    output_padding: SizesOrUnknown,
    groups: SizeOrUnknown,
    benchmark: object = False,
    deterministic: object = False,
    cudnn_enabled: object = True,
    allow_tf32: object = True,
) -> Tensor:
    """A (transposed) convolution over the dimensions of the weight after its first two; the input has a batch."""
    count = _axes_of(weight, input)
    need_rank(input, (count + 2,))
    if transposed:
        return transposed_convolution(count, input, weight, bias, stride, padding, output_padding, groups, dilation)
    return convolved(count, input, weight, bias, stride, padding, dilation, groups)


@op("_convolution_mode")
def _convolution_mode(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: SizesOrUnknown,
    padding: PaddingOrUnknown,
    dilation: SizesOrUnknown,
    groups: SizeOrUnknown,
) -> Tensor:
    """A convolution with padding "same" or "valid"."""
    return convolved(_axes_of(weight, input), input, weight, bias, stride, padding, dilation, groups)


@op("convolution_backward")
def convolution_backward(
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    bias_sizes: object,
    stride: SizesOrUnknown,
    padding: SizesOrUnknown,
    dilation: SizesOrUnknown,
    transposed: object,
    output_padding: SizesOrUnknown,
    groups: SizeOrUnknown,
    output_mask: Sequence[bool],
) -> Gradients:
    """The gradients of input, weight and bias, each of the shape of its tensor, None where the mask is False."""
    of_input, of_weight, of_bias = output_mask
    channels = grad_output.shape.size(1)
    return (
        result(grad_output, input.shape, "unknown", grad_output.dtype) if of_input else None,
        result(grad_output, weight.shape, "unknown", grad_output.dtype) if of_weight else None,
        fresh((channels,), grad_output.dtype, grad_output) if of_bias else None,
    )


@op("conv_tbc")
def conv_tbc(self: Tensor, weight: Tensor, bias: Tensor, pad: Size = 0) -> Tensor:
    """(t, n, in) with a weight (k, in, out) and a bias (out,) gives (t + 2*pad - k + 1, n, out)."""
    kernel, taken, out = known(weight.shape, 3, "the weight")
    length, batch, channels = known(self.shape, 3, "the input")
    need_equal(
        channels,
        taken,
        f"expected an input with {taken} channels, got {channels} in dimension 2 of {self.shape} "
        f"(weight of shape {weight.shape})",
    )
    need_bias(bias, out)
    dtype = need_same_dtype(("input", self), ("weight", weight), ("bias", bias))
    made = length + 2 * pad - kernel + 1
    if at_least(made, 0) is False:
        raise ShapeError(f"kernel size {kernel} is greater than the padded input size {length + 2 * pad}")
    return fresh((made, batch, out), dtype, self)


def _axes_of(weight: Tensor, input: Tensor) -> int:
    name, given = ("input", input) if weight.rank is None else ("weight", weight)
    if len(given.dims) < 3:
        raise ShapeError(f"expected at least 3 dimensions in the {name}, got shape {given.shape}")
    return len(given.dims) - 2
