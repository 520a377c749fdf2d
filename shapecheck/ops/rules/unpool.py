"""Max unpools: the partial inverse of a max pool, from the indices that it returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Sizes, Tensor, need_equal, per_axis
from shapecheck.ops.shared.windows import SizesOrUnknown, image, last, need_room, replaced, result, settings
from shapecheck.spec import CallError, DTypeError, Layout, Shape, ShapeError, Size, at_least, unknown
from shapecheck.spec.dtype import int64


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
    """The sizes that the caller chose, each less than a stride away from the default one."""
    count = len(usual)
    chosen = list(output_size[2:] if len(output_size) == count + 2 else output_size)
    if len(chosen) != count:
        raise CallError(f"expected output_size to have {count} or {count + 2} elements, got {len(output_size)}")
    for size, middle, stride in zip(chosen, usual, strides, strict=True):
        low, high = middle - stride + 1, middle + stride - 1
        if at_least(size, low) is False or at_least(high, size) is False:
            raise ShapeError(f"expected output_size to be between {low} and {high}, got {size}")
    return chosen


def _need_indices(input: Tensor, indices: Tensor, shape: Shape, count: int) -> None:
    if indices.dtype is not None and indices.dtype is not int64:
        raise DTypeError(f"expected indices of dtype torch.int64, got {indices.dtype}")
    message = f"expected indices of shape {input.shape}, the shape of the input, got {indices.shape}"
    if shape.run is None and indices.shape.run is None:
        if len(shape.head) != len(indices.shape.head):
            raise ShapeError(message)
        for left, right in zip(shape, indices.shape, strict=True):
            need_equal(left, right, message)
    for index, size in enumerate(last(shape, count), -count):
        if size == 0:
            raise ShapeError(f"expected dimension {index} of the input to be non-zero, got shape {shape}")


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


for count in (1, 2, 3):
    register(_unpool_rule(count), f"max_unpool{count}d")
