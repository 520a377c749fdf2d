"""Short-time Fourier transforms: torch.stft and torch.istft (aten/src/ATen/native/SpectralOps.cpp)."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, need_equal
from shapecheck.ops.shared.factories import counted
from shapecheck.spec import (
    CallError,
    DType,
    DTypeError,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    at_least,
    same,
    unknown,
)
from shapecheck.spec.dtype import promote


@op("stft")
def stft(
    input: Tensor,
    n_fft: object,
    hop_length: object = None,
    win_length: object = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: object = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """(..., length) gives (..., frequencies, frames), complex, or (..., frequencies, frames, 2).

    There are n_fft // 2 + 1 frequencies for real data (onesided), n_fft otherwise. There are
    1 + (length - n_fft) // hop_length frames, where `center` adds n_fft // 2 to the length at each end.
    """
    points, hop, width = _settings(n_fft, hop_length, win_length, window)
    dtype = _dtype(input, window)
    if input.shape.run is None and len(input.dims) not in (1, 2):
        raise ShapeError(f"expected an input of shape (length,) or (batch, length), got {input.shape}")
    if center and align_to_window is not None:
        raise CallError("align_to_window requires center=False")
    length = _padded(input.shape.size(-1), points, pad_mode) if center else input.shape.size(-1)
    if at_least(length, points) is False:
        raise ShapeError(f"expected n_fft to be at most {length}, the length of the (padded) signal, got {points}")
    frames = 1 + (length - (width if align_to_window and not center else points)) // hop
    half = _onesided(onesided, dtype, (input, window))
    paired = _as_pairs(return_complex, (input, window))
    frequencies = unknown(low=0) if half is None else points // 2 + 1 if half else points
    if paired is None:
        raise Unanswered("real or complex result of an input of unknown dtype")
    shape = (*input.dims[:-1], frequencies, frames, *((2,) if paired else ()))
    return TensorSpec.make(Shape(shape), _of_result(dtype, paired), "unknown", input.device)


def _settings(n_fft: Any, hop_length: Any, win_length: Any, window: Tensor | None) -> tuple[Size, Size, Size]:
    points = counted(n_fft, "n_fft")
    hop = points // 4 if hop_length is None else counted(hop_length, "hop_length")
    width = points if win_length is None else counted(win_length, "win_length")
    for what, value in (("n_fft", points), ("hop_length", hop), ("win_length", width)):
        if at_least(0, value):
            raise CallError(f"expected {what} to be positive, got {value}")
    if at_least(points, width) is False:
        raise CallError(f"expected win_length to be at most n_fft ({points}), got {width}")
    if window is not None and window.rank is not None:
        message = f"expected a window of shape ({width},), the win_length, got {window.shape}"
        if len(window.dims) != 1:
            raise ShapeError(message)
        need_equal(window.dims[0], width, message)
    return points, hop, width


def _dtype(input: Tensor, window: Tensor | None) -> DType | None:
    dtype = input.dtype
    if dtype is not None and not dtype.is_floating and not dtype.is_complex:
        raise DTypeError(f"expected a floating-point or complex dtype, got {dtype}")
    if window is None or dtype is None or window.dtype is None:
        return dtype if window is None else None
    return promote(dtype, window.dtype)


def _padded(length: Size, points: Size, mode: object) -> Size:
    by = points // 2
    if mode == "reflect" and at_least(by, length):
        raise ShapeError(
            f"expected an input longer than the padding of center=True ({by} at each end), got length {length}"
        )
    return length + 2 * by


def _complex(tensors: tuple[Tensor | None, ...]) -> bool | None:
    """Whether one of them is complex; None if that is unknown."""
    given = [tensor.dtype for tensor in tensors if tensor is not None]
    if any(dtype is not None and dtype.is_complex for dtype in given):
        return True
    return None if None in given else False


def _onesided(onesided: bool | None, dtype: DType | None, tensors: tuple[Tensor | None, ...]) -> bool | None:
    """Whether the result has half of the frequencies; None if that is unknown."""
    is_complex = _complex(tensors)
    if onesided is None and is_complex is None:
        return None
    if onesided and is_complex:
        raise CallError("onesided=True cannot be used with a complex input or window")
    return not is_complex if onesided is None else bool(onesided)


def _as_pairs(return_complex: bool | None, tensors: tuple[Tensor | None, ...]) -> bool | None:
    if return_complex is not None:
        return not return_complex
    is_complex = _complex(tensors)
    if is_complex is False:
        raise CallError("missing return_complex, which is required for real inputs; pass return_complex=True")
    return None if is_complex is None else False


def _of_result(dtype: DType | None, paired: bool) -> DType | None:
    if dtype is None:
        return None
    return dtype.to_real() if paired else dtype.to_complex()


@op("istft")
def istft(
    input: Tensor,
    n_fft: object,
    hop_length: object = None,
    win_length: object = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: object = False,
    onesided: bool | None = None,
    length: object = None,
    return_complex: bool = False,
) -> Tensor:
    """(..., frequencies, frames) gives (..., n_fft + hop_length * (frames - 1)).

    `center` removes n_fft // 2 at each end.
    """
    points, hop, width = _settings(n_fft, hop_length, win_length, window)
    if at_least(width, hop) is False:
        raise CallError(f"expected hop_length to be at most win_length ({width}), got {hop}")
    if input.dtype is not None and not input.dtype.is_complex:
        raise DTypeError(f"expected a complex input, as stft() with return_complex=True returns, got {input.dtype}")
    dims = input.dims
    if len(dims) not in (2, 3):
        raise ShapeError(
            f"expected an input of shape (..., frequencies, frames) with 2 or 3 dimensions, got {input.shape}"
        )
    half = _is_half(dims[-2], points, onesided)
    if return_complex and half:
        raise CallError("onesided=True cannot be used with a complex input or window")
    whole = points + hop * (dims[-1] - 1)
    samples = whole - 2 * (points // 2) if center else whole
    shape = Shape((*dims[:-2], samples if length is None else counted(length, "length")))
    dtype = _dtype(input, window)
    return TensorSpec.make(
        shape, dtype if return_complex or dtype is None else dtype.to_real(), "unknown", input.device
    )


def _is_half(given: Size, points: Size, onesided: bool | None) -> bool | None:
    """Whether only half of the frequencies are given; without `onesided`, torch infers it from their number."""
    half = onesided
    if onesided is None:
        all_of_them = same(given, points)
        half = None if all_of_them is None else not all_of_them
    if half is not None:
        expected = points // 2 + 1 if half else points
        need_equal(
            given, expected, f"expected dimension -2 of the input, the frequencies, to be {expected}, got {given}"
        )
    return half
