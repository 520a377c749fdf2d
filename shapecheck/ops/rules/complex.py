"""Complex tensors from two real tensors."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.elementwise import combined, unordered
from shapecheck.spec import CallError, DType, DTypeError
from shapecheck.spec.dtype import float16, float32, float64
from shapecheck.spec.presentation import value_text


@op("complex")
def complex_(real: Tensor, imag: Tensor) -> Tensor:
    """The shapes of both parts broadcast; float32 gives complex64."""
    return _of_parts(("real", real), ("imag", imag), (float16, float32, float64))


@op("polar")
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """The shapes of both broadcast; float32 gives complex64."""
    return _of_parts(("abs", abs), ("angle", angle), (float32, float64))


def _of_parts(first: tuple[str, Any], second: tuple[str, Any], allowed: tuple[DType, ...]) -> Tensor:
    dtype: DType | None = None
    parts: list[tuple[str, Tensor]] = []
    for what, part in (first, second):
        if not isinstance(part, Tensor):
            raise CallError(f"expected {what} to be a tensor, got {value_text(part)}")
        parts.append((what, part))
    for what, part in parts:
        if part.dtype is None:
            continue
        if part.dtype not in allowed:
            names = f"{', '.join(map(str, allowed[:-1]))} or {allowed[-1]}"
            raise DTypeError(f"expected {what} to have dtype {names}, got {part.dtype}")
        if dtype is not None and dtype is not part.dtype:
            raise DTypeError(f"expected {first[0]} and {what} to have the same dtype, got {dtype} and {part.dtype}")
        dtype = part.dtype
    return unordered(combined(None if dtype is None else dtype.to_complex(), first[1], second[1]))
