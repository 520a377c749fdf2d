"""Pools: max, average, power-average, adaptive and fractional ones, and max_unpool.

The formulas are those of torch.nn.MaxPool2d, AvgPool2d, AdaptiveAvgPool2d and MaxUnpool2d; what is refused follows
aten/src/ATen/native/Pool.h and torch/nn/functional.py. Each takes a batch (n, c, *sizes) or one sample (c, *sizes).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Sizes, Tensor, need_equal, need_rank, per_axis
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
    scaled,
    settings,
)
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DTypeError, Layout, Shape, ShapeError, Size, at_least, unknown
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
    """A max pool over the last `count` axes."""
    if input.dtype is not None and input.dtype.kind in ("bool", "complex"):
        raise DTypeError(f"max_pool{count}d is not implemented for {input.dtype}")
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
    """An average pool over the last `count` axes."""
    dtype = input.dtype
    if dtype is not None and not dtype.is_floating and dtype is not int64:
        raise DTypeError(f"avg_pool{count}d is not implemented for {dtype}")
    shape = _windowed(count, input.shape, kernel_size, stride, padding, 1, ceil_mode)
    if count == 3 and not open_sizes(kernel_size):
        _need_whole_window(input.shape, settings(3, 1, "kernel_size", kernel_size))
    return result(input, shape, kept(input, count), dtype)


def _need_whole_window(shape: Shape, kernel: tuple[Size, ...]) -> None:
    """avg_pool3d alone refuses an input that is smaller than the window without its padding."""
    for size, window in zip(last(shape, 3), kernel, strict=True):
        if size is not None and at_least(size, window) is False:
            raise ShapeError(f"the input {shape} is smaller than the kernel size {Shape(kernel)}")


def adaptive_pool(count: int, input: Tensor, output_size: Any, kind: str) -> Tensor:
    """A pool whose windows are chosen so that the last sizes become `output_size`, where None keeps a size."""
    shape = image(input.shape, count)
    if input.dtype is not None and not (input.dtype.is_floating or (kind == "avg" and input.dtype.is_complex)):
        raise DTypeError(f"adaptive_{kind}_pool{count}d is not implemented for {input.dtype}")
    for index, size in enumerate(last(shape, count), -count):
        if size == 0:
            raise ShapeError(f"axis {index} of the input {shape} is empty: a non-zero size is due")
    sizes = _targets(count, output_size, shape)
    return result(input, replaced(shape, sizes), kept(input, count), input.dtype)


def _targets(count: int, output_size: Any, shape: Shape) -> tuple[Size, ...]:
    if type(output_size) is Unknown:
        return tuple(unknown(low=0) for _ in range(count))
    given = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * count
    if output_size is None or len(given) != count or (count == 1 and None in given):
        raise CallError(f"output_size is {output_size}: a number or {count} of them are due")
    sizes = [shape.size(index) if size is None else size for index, size in enumerate(given, -count)]
    return settings(count, 0, "output_size", sizes)


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
            raise CallError(f"padding {pad} must be at most half of the kernel size {size}")
    sizes = [
        unknown(low=1)
        if size is None
        else pooled(size, kernel[i], strides[i], paddings[i], dilations[i], bool(ceil_mode))
        for i, size in enumerate(last(shape, count))
    ]
    need_room(sizes, shape)
    return replaced(shape, sizes)


def _with_indices(pool: Tensor) -> tuple[Tensor, Tensor]:
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
        return _with_indices(pool) if return_indices else pool

    return rule


def _max_pool_with_indices_rule(count: int) -> Callable[..., tuple[Tensor, Tensor]]:
    def rule(
        input: Tensor,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        padding: SizesOrUnknown = 0,
        dilation: SizesOrUnknown = 1,
        ceil_mode: bool | Unknown = False,
        return_indices: bool = False,
    ) -> tuple[Tensor, Tensor]:
        return _with_indices(max_pool(count, input, kernel_size, stride, padding, dilation, ceil_mode))

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
            raise CallError("divisor_override is 0: the divisor must not be zero")
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


def _adaptive_avg_rule(count: int) -> Callable[..., Tensor]:
    def rule(input: Tensor, output_size: SizesOrUnknown | Sequence[Size | None]) -> Tensor:
        return adaptive_pool(count, input, output_size, "avg")

    return rule


def _adaptive_max_rule(count: int) -> Callable[..., Pooled]:
    def rule(
        input: Tensor, output_size: SizesOrUnknown | Sequence[Size | None], return_indices: bool = False
    ) -> Pooled:
        pool = adaptive_pool(count, input, output_size, "max")
        return _with_indices(pool) if return_indices else pool

    return rule


def _adaptive_max_with_indices_rule(count: int) -> Callable[..., tuple[Tensor, Tensor]]:
    def rule(
        input: Tensor, output_size: SizesOrUnknown | Sequence[Size | None], return_indices: bool = False
    ) -> tuple[Tensor, Tensor]:
        return _with_indices(adaptive_pool(count, input, output_size, "max"))

    return rule


def _fractional_rule(count: int, always: bool) -> Callable[..., Pooled]:
    def rule(
        input: Tensor,
        kernel_size: SizesOrUnknown,
        output_size: SizesOrUnknown | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> Pooled:
        pool = fractional_max_pool(count, input, kernel_size, output_size, output_ratio)
        return _with_indices(pool) if return_indices or always else pool

    return rule


def fractional_max_pool(
    count: int, input: Tensor, kernel_size: SizesOrUnknown, output_size: SizesOrUnknown | None, output_ratio: Any
) -> Tensor:
    """A max pool with random windows that makes the last sizes `output_size`, or `output_ratio` times themselves."""
    shape = image(input.shape, count)
    if input.dtype is not None and not input.dtype.is_floating:
        raise DTypeError(f"fractional_max_pool{count}d is not implemented for {input.dtype}")
    kernel = settings(count, 1, "kernel_size", kernel_size)
    need_content(shape, count)
    given = last(shape, count)
    if output_size is not None:
        sizes = settings(count, 0, "output_size", output_size)
    elif output_ratio is None:
        raise CallError("either output_size or output_ratio must be given")
    else:
        ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * count
        if len(ratios) != count:
            raise CallError(f"output_ratio has {len(ratios)} values, {count} are due")
        sizes = tuple(
            unknown(low=0) if size is None else scaled(size, ratio) for size, ratio in zip(given, ratios, strict=True)
        )
    for had, size, window in zip(given, sizes, kernel, strict=True):
        least = size + window - (1 if count == 2 else 0)  # the 3-d pool wants one element more
        if had is not None and at_least(had, least) is False:
            raise ShapeError(
                f"the kernel size {window} is too large for the input size {had} in {shape}: at least {least} is needed"
            )
    layout: Layout = "contiguous" if input.layout == "contiguous" else "unknown"
    return result(input, replaced(shape, sizes), layout, input.dtype)


def _aten_fractional_rule(count: int) -> Callable[..., tuple[Tensor, Tensor]]:
    def rule(
        self: Tensor, kernel_size: SizesOrUnknown, output_size: SizesOrUnknown, random_samples: Tensor
    ) -> tuple[Tensor, Tensor]:
        return _with_indices(fractional_max_pool(count, self, kernel_size, output_size, None))

    return rule


def _unpool_rule(count: int) -> Callable[..., Tensor]:
    def rule(
        input: Tensor,
        indices: Tensor,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        padding: Sizes = 0,
        output_size: Sequence[Size] | None = None,
    ) -> Tensor:
        shape = image(input.shape, count)
        _need_indices(input, indices, shape, count)
        kernel = settings(count, 1, "kernel_size", kernel_size)
        strides = kernel if stride is None else settings(count, 1, "stride", stride)
        paddings = per_axis(padding, count, "padding")
        sizes = [
            unknown(low=0) if size is None else (size - 1) * step + window - 2 * pad
            for size, step, window, pad in zip(last(shape, count), strides, kernel, paddings, strict=True)
        ]
        if output_size is not None:
            sizes = _chosen(sizes, strides, output_size)
        need_room([size + 1 for size in sizes], shape)
        return _unpooled(input, shape, sizes)

    return rule


def _chosen(usual: Sequence[Size], strides: Sequence[Size], output_size: Sequence[Size]) -> list[Size]:
    """The sizes that the caller chose, each less than a stride away from the usual one."""
    count = len(usual)
    chosen = list(output_size[2:] if len(output_size) == count + 2 else output_size)
    if len(chosen) != count:
        raise CallError(f"output_size has {len(output_size)} elements, {count} or {count + 2} are due")
    for size, middle, stride in zip(chosen, usual, strides, strict=True):
        low, high = middle - stride + 1, middle + stride - 1
        if at_least(size, low) is False or at_least(high, size) is False:
            raise ShapeError(f"the output size {size} is not between {low} and {high}")
    return chosen


def _need_indices(input: Tensor, indices: Tensor, shape: Shape, count: int) -> None:
    if indices.dtype is not None and indices.dtype is not int64:
        raise DTypeError(f"the elements of indices are {indices.dtype}: dtype int64 is due")
    message = f"the input is {input.shape} and the indices are {indices.shape}: both must have the same shape"
    if shape.run is None and indices.shape.run is None:
        if len(shape.head) != len(indices.shape.head):
            raise ShapeError(message)
        for left, right in zip(shape, indices.shape, strict=True):
            need_equal(left, right, message)
    for index, size in enumerate(last(shape, count), -count):
        if size == 0:
            raise ShapeError(f"axis {index} of the input {shape} is empty: a non-zero size is due")


def _unpooled(input: Tensor, shape: Shape, sizes: Sequence[Size]) -> Tensor:
    layout: Layout = "contiguous" if input.layout == "contiguous" else "unknown"
    return result(input, replaced(shape, sizes), layout, input.dtype)


@op("aten.max_unpool2d")
def _aten_max_unpool2d(self: Tensor, indices: Tensor, output_size: Sequence[Size]) -> Tensor:
    """(n, c, h, w) gives (n, c, *output_size)."""
    shape = image(self.shape, 2)
    _need_indices(self, indices, shape, 2)
    return _unpooled(self, shape, settings(2, 0, "output_size", output_size))


@op("aten.max_unpool3d")
def _aten_max_unpool3d(
    self: Tensor, indices: Tensor, output_size: Sequence[Size], stride: SizesOrUnknown, padding: SizesOrUnknown
) -> Tensor:
    """(n, c, d, h, w) gives (n, c, *output_size)."""
    shape = image(self.shape, 3)
    _need_indices(self, indices, shape, 3)
    return _unpooled(self, shape, settings(3, 0, "output_size", output_size))


def _gradient(grad_output: Tensor, self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The gradient of a pool is as large as the pool's input."""
    return result(self, self.shape, "unknown", self.dtype)


def _max_gradient_rule(count: int) -> Callable[..., Tensor]:
    def rule(
        grad_output: Tensor,
        self: Tensor,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None,
        padding: SizesOrUnknown,
        dilation: SizesOrUnknown,
        ceil_mode: bool | Unknown,
        indices: Tensor,
    ) -> Tensor:
        pool = max_pool(count, self, kernel_size, stride, padding, dilation, ceil_mode).shape
        for given, what in ((grad_output, "the gradient"), (indices, "the indices")):
            if pool.rank is not None:
                need_rank(given, (pool.rank,), what)
            if pool.run is None and given.shape.run is None:
                for left, right in zip(given.shape, pool, strict=True):
                    need_equal(left, right, f"{what} has shape {given.shape}, the pool gives {pool}")
        return result(self, self.shape, kept(self, count), self.dtype)

    return rule


@op("max_pool2d_with_indices_backward")
def _pooled_and_back(
    input: Tensor,
    kernel_size: SizesOrUnknown,
    stride: SizesOrUnknown | None = None,
    padding: SizesOrUnknown = 0,
    dilation: SizesOrUnknown = 1,
    ceil_mode: bool | Unknown = False,
    return_indices: bool = False,
) -> Tensor:
    """op_db's operator of this name: a pool and the way back in one call. torch's own is `aten.max_pool2d_with...`."""
    max_pool(2, input, kernel_size, stride, padding, dilation, ceil_mode)
    return result(input, input.shape, kept(input), input.dtype)


def _enter() -> None:
    for count in (1, 2, 3):
        pools = f"pool{count}d"
        register(_max_pool_rule(count), f"max_{pools}")
        register(_max_pool_with_indices_rule(count), f"max_{pools}_with_indices")
        register(_avg_pool_rule(count), f"avg_{pools}")
        register(_lp_pool_rule(count), f"lp_{pools}")
        register(_adaptive_avg_rule(count), f"adaptive_avg_{pools}", f"_adaptive_avg_{pools}")
        register(_adaptive_max_rule(count), f"F.adaptive_max_{pools}")
        register(_adaptive_max_with_indices_rule(count), f"adaptive_max_{pools}", f"adaptive_max_{pools}_with_indices")
        register(_unpool_rule(count), f"max_un{pools}")
        gradients = [f"adaptive_{kind}_{pools}_backward" for kind in ("avg", "max")]
        register(_gradient, f"avg_{pools}_backward", *gradients, f"_adaptive_avg_{pools}_backward")
        register(_max_gradient_rule(count), f"aten.max_{pools}_with_indices_backward")
    for count in (2, 3):
        name = f"fractional_max_pool{count}d"
        register(_fractional_rule(count, always=False), name)
        register(_fractional_rule(count, always=True), f"{name}_with_indices")
        register(_aten_fractional_rule(count), f"aten.{name}")
        register(_gradient, f"{name}_backward")


_enter()
