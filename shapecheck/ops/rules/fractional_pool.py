"""Fractional max pools: their windows are random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shapecheck.ops.registry import register
from shapecheck.ops.rules.pool import Pooled, with_indices
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.windows import SizesOrUnknown, image, last, need_content, replaced, result, scaled, settings
from shapecheck.spec import CallError, DTypeError, Layout, ShapeError, at_least, unknown
from shapecheck.spec.presentation import value_text


def _fractional_rule(count: int, always: bool) -> Callable[..., Pooled]:
    def rule(
        input: Tensor,
        kernel_size: SizesOrUnknown,
        output_size: SizesOrUnknown | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> Pooled:
        pool = _fractional_max_pool(count, input, kernel_size, output_size, output_ratio)
        return with_indices(pool) if return_indices or always else pool

    return rule


def _fractional_max_pool(
    count: int, input: Tensor, kernel_size: SizesOrUnknown, output_size: SizesOrUnknown | None, output_ratio: Any
) -> Tensor:
    """A max pool with random windows whose last sizes are `output_size`, or `output_ratio` times those of the input."""
    shape = image(input.shape, count)
    if input.dtype is not None and not input.dtype.is_floating:
        raise DTypeError(f"expected a floating-point dtype, got {input.dtype}")
    kernel = settings(count, 1, "kernel_size", kernel_size)
    need_content(shape, count)
    given = last(shape, count)
    if output_size is not None:
        sizes = settings(count, 0, "output_size", output_size)
    elif output_ratio is None:
        raise CallError("expected output_size or output_ratio, got neither")
    else:
        ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * count
        if len(ratios) != count:
            raise CallError(f"expected output_ratio to be a number or {count} numbers, got {value_text(output_ratio)}")
        sizes = tuple(
            unknown(low=0) if size is None else scaled(size, ratio) for size, ratio in zip(given, ratios, strict=True)
        )
    for had, size, window in zip(given, sizes, kernel, strict=True):
        least = size + window - (1 if count == 2 else 0)  # the 3-D pool requires one element more
        if had is not None and at_least(had, least) is False:
            raise ShapeError(
                f"kernel size {window} is too large for size {had} of the input {shape}: expected at least {least}"
            )
    layout: Layout = "contiguous" if input.layout == "contiguous" else "unknown"
    return result(input, replaced(shape, sizes), layout, input.dtype)


def _aten_fractional_rule(count: int) -> Callable[..., tuple[Tensor, Tensor]]:
    def rule(
        self: Tensor, kernel_size: SizesOrUnknown, output_size: SizesOrUnknown, random_samples: Tensor
    ) -> tuple[Tensor, Tensor]:
        return with_indices(_fractional_max_pool(count, self, kernel_size, output_size, None))

    return rule


for count in (2, 3):
    name = f"fractional_max_pool{count}d"
    register(_fractional_rule(count, always=False), name)
    register(_fractional_rule(count, always=True), f"{name}_with_indices")
    register(_aten_fractional_rule(count), f"aten.{name}")
