"""Adaptive pools: pools that choose their windows to produce a given size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shapecheck.ops.registry import register
from shapecheck.ops.rules.pool import Pooled, with_indices
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.windows import SizesOrUnknown, image, kept, last, replaced, result, settings
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size, unknown
from shapecheck.spec.presentation import value_text


def adaptive_pool(count: int, input: Tensor, output_size: Any, kind: str) -> Tensor:
    """A pool whose windows are chosen so that the last sizes become `output_size`, where None keeps a size."""
    shape = image(input.shape, count)
    if input.dtype is not None and not (input.dtype.is_floating or (kind == "avg" and input.dtype.is_complex)):
        allowed = "floating-point or complex" if kind == "avg" else "floating-point"
        raise DTypeError(f"expected a {allowed} dtype, got {input.dtype}")
    for index, size in enumerate(last(shape, count), -count):
        if size == 0:
            raise ShapeError(f"expected dimension {index} of the input to be non-empty, got shape {shape}")
    sizes = _targets(count, output_size, shape)
    return result(input, replaced(shape, sizes), kept(input, count), input.dtype)


def _targets(count: int, output_size: Any, shape: Shape) -> tuple[Size, ...]:
    if type(output_size) is Unknown:
        return tuple(unknown(low=0) for _ in range(count))
    given = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * count
    if output_size is None or len(given) != count or (count == 1 and None in given):
        expected = "an integer" if count == 1 else f"an integer or {count} integers"
        raise CallError(f"expected output_size to be {expected}, got {value_text(output_size)}")
    sizes = [shape.size(index) if size is None else size for index, size in enumerate(given, -count)]
    return settings(count, 0, "output_size", sizes)


def _adaptive_avg_rule(count: int) -> Callable[..., Tensor]:
    def rule(input: Tensor, output_size: SizesOrUnknown | Sequence[Size | None]) -> Tensor:
        return adaptive_pool(count, input, output_size, "avg")

    return rule


def _adaptive_max_rule(count: int) -> Callable[..., Pooled]:
    def rule(
        input: Tensor, output_size: SizesOrUnknown | Sequence[Size | None], return_indices: bool = False
    ) -> Pooled:
        pool = adaptive_pool(count, input, output_size, "max")
        return with_indices(pool) if return_indices else pool

    return rule


def _adaptive_max_with_indices_rule(count: int) -> Callable[..., tuple[Tensor, Tensor]]:
    def rule(
        input: Tensor, output_size: SizesOrUnknown | Sequence[Size | None], return_indices: object = False
    ) -> tuple[Tensor, Tensor]:
        return with_indices(adaptive_pool(count, input, output_size, "max"))

    return rule


for count in (1, 2, 3):
    name = f"adaptive_avg_pool{count}d"
    register(_adaptive_avg_rule(count), name, f"_{name}")
    name = f"adaptive_max_pool{count}d"
    register(_adaptive_max_rule(count), f"F.{name}")
    register(_adaptive_max_with_indices_rule(count), name, f"{name}_with_indices")
