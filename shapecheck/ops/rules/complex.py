"""Complex tensors made of two real ones."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.elementwise import combined, unordered
from shapecheck.spec import CallError, DType, DTypeError
from shapecheck.spec.dtype import float16, float32, float64


@op("complex")
def complex_(real: Tensor, imag: Tensor) -> Tensor:
    """The shapes of both parts broadcast; float32 gives complex64."""
    return _of_parts(("real", real), ("imag", imag), (float16, float32, float64))


@op("polar")
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """The shapes of both broadcast; float32 gives complex64."""
    return _of_parts(("abs", abs), ("angle", angle), (float32, float64))


def _of_parts(first: tuple[str, Tensor], second: tuple[str, Tensor], allowed: tuple[DType, ...]) -> Tensor:
    dtype: DType | None = None
    for what, part in (first, second):
        if not isinstance(part, Tensor):
            raise CallError(f"{what} must be a tensor, not {str(part)[:60]!r}")
    for what, part in (first, second):
        if part.dtype is None:
            continue
        if part.dtype not in allowed:
            raise DTypeError(f"{what} is {part.dtype}; both must be one of the types {', '.join(map(str, allowed))}")
        if dtype is not None and dtype is not part.dtype:
            raise DTypeError(f"{first[0]} is {dtype} and {what} is {part.dtype}: both must have the same scalar type")
        dtype = part.dtype
    return unordered(combined(None if dtype is None else dtype.to_complex(), first[1], second[1]))
