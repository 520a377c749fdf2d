"""Pools with a window: max, average and power-average.

The formulas are those of torch.nn.MaxPool2d, AvgPool2d and LPPool2d; the errors follow
aten/src/ATen/native/Pool.h and torch/nn/functional.py. Each takes a batch (n, c, *sizes) or one sample (c, *sizes).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from shapecheck.ops.registry import register
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.dtypes import floating
from shapecheck.ops.shared.windows import (
    SizesOrUnknown,
    image,
    kept,
    last,
    need_content,
    need_room,
    open_sizes,
    pooled,
    replaced,
    result,
    settings,
)
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size, at_least, unknown
from shapecheck.spec.dtype import int64

Pooled: TypeAlias = Tensor | tuple[Tensor, Tensor]


def max_pool(
    count: int,
    input: Tensor,
    kernel_size: SizesOrUnknown,
    stride: SizesOrUnknown | None,
    padding: SizesOrUnknown,
    dilation: SizesOrUnknown,
    ceil_mode: bool | Unknown,
) -> Tensor:
    """A max pool over the last `count` dimensions."""
    if input.dtype is not None and input.dtype.kind in ("bool", "complex"):
        raise DTypeError(f"expected an integer or floating-point dtype, got {input.dtype}")
    shape = _windowed(count, input.shape, kernel_size, stride, padding, dilation, ceil_mode)
    return result(input, shape, kept(input, count), input.dtype)


def avg_pool(
    count: int,
    input: Tensor,
    kernel_size: SizesOrUnknown,
    stride: SizesOrUnknown | None,
    padding: SizesOrUnknown,
    ceil_mode: bool | Unknown,
) -> Tensor:
    """An average pool over the last `count` dimensions."""
    dtype = input.dtype
    if dtype is not None and not dtype.is_floating and dtype is not int64:
        raise DTypeError(f"expected a floating-point dtype, got {dtype}")
    shape = _windowed(count, input.shape, kernel_size, stride, padding, 1, ceil_mode)
    if count == 3 and not open_sizes(kernel_size):
        _need_whole_window(input.shape, settings(3, 1, "kernel_size", kernel_size))
    return result(input, shape, kept(input, count), dtype)


def _need_whole_window(shape: Shape, kernel: tuple[Size, ...]) -> None:
    """Only avg_pool3d requires that the input without its padding is at least as large as the window."""
    for size, window in zip(last(shape, 3), kernel, strict=True):
        if size is not None and at_least(size, window) is False:
            raise ShapeError(f"kernel of size {Shape(kernel)} is larger than the input of shape {shape}")


def _windowed(
    count: int,
    given: Shape,
    kernel_size: SizesOrUnknown,
    stride: SizesOrUnknown | None,
    padding: SizesOrUnknown,
    dilation: SizesOrUnknown,
    ceil_mode: bool | Unknown,
) -> Shape:
    shape = image(given, count)
    need_content(shape, count)
    if open_sizes(kernel_size, stride, padding, dilation, ceil_mode):
        return replaced(shape, [unknown(low=1) for _ in range(count)])
    kernel = settings(count, 1, "kernel_size", kernel_size)
    strides = kernel if stride is None or stride in ((), []) else settings(count, 1, "stride", stride)
    paddings = settings(count, 0, "padding", padding)
    dilations = settings(count, 1, "dilation", dilation)
    for pad, size in zip(paddings, kernel, strict=True):
        if pad != 0 and at_least(size, 2 * pad) is False:
            raise CallError(f"expected padding to be at most half of the kernel size {size}, got {pad}")
    sizes = [
        unknown(low=1)
        if size is None
        else pooled(size, kernel[i], strides[i], paddings[i], dilations[i], bool(ceil_mode))
        for i, size in enumerate(last(shape, count))
    ]
    need_room(sizes, shape)
    return replaced(shape, sizes)


def with_indices(pool: Tensor) -> tuple[Tensor, Tensor]:
    """A pool, and the indices of its elements."""
    return pool, pool.with_dtype(int64)


def _max_pool_rule(count: int) -> Callable[..., Pooled]:
    def rule(
        input: Tensor,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        padding: SizesOrUnknown = 0,
        dilation: SizesOrUnknown = 1,
        ceil_mode: bool | Unknown = False,
        return_indices: bool = False,
    ) -> Pooled:
        pool = max_pool(count, input, kernel_size, stride, padding, dilation, ceil_mode)
        return with_indices(pool) if return_indices else pool

    return rule


def _max_pool_with_indices_rule(count: int) -> Callable[..., tuple[Tensor, Tensor]]:
    def rule(
        input: Tensor,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        padding: SizesOrUnknown = 0,
        dilation: SizesOrUnknown = 1,
        ceil_mode: bool | Unknown = False,
        return_indices: object = False,
    ) -> tuple[Tensor, Tensor]:
        return with_indices(max_pool(count, input, kernel_size, stride, padding, dilation, ceil_mode))

    return rule


def _avg_pool_rule(count: int) -> Callable[..., Tensor]:
    def rule(
        input: Tensor,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        padding: SizesOrUnknown = 0,
        ceil_mode: bool | Unknown = False,
        count_include_pad: object = True,
        divisor_override: object = None,
    ) -> Tensor:
        if divisor_override == 0:
            raise CallError("expected divisor_override to be non-zero, got 0")
        return avg_pool(count, input, kernel_size, stride, padding, ceil_mode)

    return rule


def _lp_pool_rule(count: int) -> Callable[..., Tensor]:
    def rule(
        input: Tensor,
        norm_type: float,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        ceil_mode: bool | Unknown = False,
    ) -> Tensor:
        if norm_type in (float("inf"), -float("inf")):
            return max_pool(count, input, kernel_size, stride, 0, 1, ceil_mode)
        pool = avg_pool(count, input, kernel_size, stride, 0, ceil_mode)
        return pool.with_dtype(floating(pool.dtype))

    return rule


for count in (1, 2, 3):
    register(_max_pool_rule(count), f"max_pool{count}d")
    register(_max_pool_with_indices_rule(count), f"max_pool{count}d_with_indices")
    register(_avg_pool_rule(count), f"avg_pool{count}d")
    register(_lp_pool_rule(count), f"lp_pool{count}d")
