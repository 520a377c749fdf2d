"""Pools as autograd calls them in the backward pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.pool import max_pool
from shapecheck.ops.shared.arguments import Tensor, need_equal, need_rank
from shapecheck.ops.shared.windows import SizesOrUnknown, kept, result
from shapecheck.ops.unknown import Unknown


def _gradient(grad_output: Tensor, self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The gradient of a pool has the shape of its input."""
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
        for given, what in ((grad_output, "grad_output"), (indices, "indices")):
            if pool.rank is not None:
                need_rank(given, (pool.rank,), what)
            if pool.run is None and given.shape.run is None:
                for left, right in zip(given.shape, pool, strict=True):
                    need_equal(left, right, f"expected {what} of shape {pool}, got {given.shape}")
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
    return_indices: object = False,
) -> Tensor:
    """op_db's operator of this name: forward and backward in one call. torch's is `aten.max_pool2d_with...`."""
    max_pool(2, input, kernel_size, stride, padding, dilation, ceil_mode)
    return result(input, input.shape, kept(input), input.dtype)


for count in (1, 2, 3):
    register(_max_gradient_rule(count), f"aten.max_pool{count}d_with_indices_backward")
    adaptive = [f"adaptive_{kind}_pool{count}d_backward" for kind in ("avg", "max")]
    register(_gradient, f"avg_pool{count}d_backward", *adaptive, f"_adaptive_avg_pool{count}d_backward")
register(_gradient, "fractional_max_pool2d_backward", "fractional_max_pool3d_backward")
