"""Fourier transforms of whole signals and of short stretches of them, and the windows for these."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import TensorSpec, infer
from shapecheck.spec import ShapeError, axis
from tests.ops.laws import T, agree

N = axis("n")
REAL = TensorSpec(("b", "n"), "float32")
COMPLEX = TensorSpec(("b", "m"), "complex64")
IMAGE = TensorSpec(("b", "h", "w"), "float32")
WAVE = TensorSpec(("b", "length"), "float32")


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "result"),
    [
        ("fft", (REAL,), {}, "torch.complex64 (b, n)"),
        ("fft", (REAL,), {"n": 64}, "torch.complex64 (b, 64)"),
        ("fft", (REAL,), {"dim": 0}, "torch.complex64 (b, n)"),
        ("rfft", (REAL,), {}, "torch.complex64 (b, n//2+1)"),
        ("rfft", (REAL,), {"n": 2 * N}, "torch.complex64 (b, n+1)"),
        ("irfft", (COMPLEX,), {}, "torch.float32 (b, 2*m-2)"),
        ("irfft", (COMPLEX,), {"n": N}, "torch.float32 (b, n)"),
        ("hfft", (COMPLEX,), {}, "torch.float32 (b, 2*m-2)"),
        ("ihfft", (REAL,), {}, "torch.complex64 (b, n//2+1)"),
        ("rfft", (TensorSpec((..., "n"), "float64"),), {}, "torch.complex128 (..., n//2+1)"),
        ("fft", (TensorSpec((4,), "int64"),), {}, "torch.complex64 (4,)"),
        ("fft", (TensorSpec((4,)),), {}, "(4,)"),
        ("fft2", (IMAGE,), {}, "torch.complex64 (b, h, w)"),
        ("rfft2", (IMAGE,), {}, "torch.complex64 (b, h, w//2+1)"),
        ("rfft2", (TensorSpec((..., "h", "w"), "float32"),), {}, "torch.complex64 (..., h, w//2+1)"),
        ("fftn", (TensorSpec((..., "w"), "float32"),), {"s": (3, 5)}, "torch.complex64 (..., 3, 5)"),
        ("rfftn", (IMAGE,), {"dim": (2, 1)}, "torch.complex64 (b, h//2+1, w)"),
        ("irfft2", (IMAGE,), {"s": (8, 9)}, "torch.float32 (b, 8, 9)"),
        ("fftn", (IMAGE,), {"s": (5, -1)}, "torch.complex64 (b, 5, w)"),
        ("fftfreq", (N,), {}, "torch.float32 (n,)"),
        ("rfftfreq", (N,), {}, "torch.float32 (n//2+1,)"),
        ("fftshift", (IMAGE,), {"dim": (-2, -1)}, "torch.float32 (b, h, w)"),
    ],
)
def test_transforms(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], result: str) -> None:
    assert str(infer(f"torch.fft.{name}", *args, **kwargs)) == result


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "message"),
    [
        ("fft.rfft", (COMPLEX,), {}, "expected a real input, got torch.complex64"),
        (
            "fft.fft",
            (TensorSpec((4,), "bfloat16"),),
            {},
            "expected torch.float32, torch.float64, torch.complex64 or torch.complex128, got torch.bfloat16",
        ),
        ("fft.fft", (TensorSpec((), "float32"),), {}, r"expected at least 1 dimension, got shape \(\)"),
        ("fft.fft", (REAL,), {"dim": 2}, "dim out of range: expected -2 to 1, got 2"),
        ("fft.fft", (REAL,), {"n": 0}, r"expected at least 1 data point, got 0 \(dimension of size n\)"),
        ("fft.fft", (REAL,), {"norm": "x"}, 'expected norm to be "forward", "backward" or "ortho", got "x"'),
        (
            "fft.fftn",
            (REAL,),
            {"s": (2, 3, 4)},
            r"expected s to have length 2 or less, got 3 \(input of shape \(b, n\)\)",
        ),
        ("fft.fftn", (REAL,), {"s": (2, 3), "dim": 0}, "expected dim and s to have the same length, got 1 and 2"),
        ("fft.fftn", (REAL,), {"dim": (0, 0)}, "appears twice"),
        ("fft.rfftn", (REAL,), {"dim": ()}, "expected at least 1 dimension to transform, got none"),
        ("stft", (WAVE, 16), {}, "return_complex"),
        (
            "stft",
            (WAVE, 16, 4, 20),
            {"return_complex": True},
            r"expected win_length to be at most n_fft \(16\), got 20",
        ),
        (
            "stft",
            (TensorSpec((2, 8), "float32"), 16),
            {"return_complex": True},
            r"expected an input longer than the padding of center=True \(8 at each end\), got length 8",
        ),
        (
            "stft",
            (WAVE, 16),
            {"window": TensorSpec((9,), "float32"), "return_complex": True},
            r"expected a window of shape \(16,\), the win_length, got \(9,\)",
        ),
        (
            "istft",
            (TensorSpec((9, 4), "float32"), 16),
            {},
            r"expected a complex input, as stft\(\) with return_complex=True returns, got torch.float32",
        ),
        (
            "istft",
            (TensorSpec((8, 4), "complex64"), 16),
            {},
            "expected dimension -2 of the input, the frequencies, to be 9, got 8",
        ),
        ("hann_window", (-1,), {}, "expected window_length to be non-negative, got -1"),
        ("hann_window", (5,), {"dtype": "int64"}, "expected dtype to be a floating-point dtype, got torch.int64"),
        (
            "signal.windows.hann",
            (5,),
            {"dtype": "float16"},
            "expected dtype to be torch.float32 or torch.float64, got torch.float16",
        ),
        ("signal.windows.gaussian", (5,), {"std": -1.0}, "expected std to be positive, got -1.0"),
        (
            "signal.windows.hann",
            (5,),
            {"std": 1.0},
            'got an unexpected keyword argument "std"; available: M, sym, dtype',
        ),
    ],
)
def test_refused(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        infer(f"torch.{name}", *args, **kwargs)


@pytest.mark.parametrize(
    ("kwargs", "result"),
    [
        ({"return_complex": True}, "torch.complex64 (b, 201, length//100+1)"),
        ({"hop_length": 160, "return_complex": True}, "torch.complex64 (b, 201, length//160+1)"),
        ({"center": False, "return_complex": True}, "torch.complex64 (b, 201, length//100-3)"),
        ({"return_complex": False}, "torch.float32 (b, 201, length//100+1, 2)"),
        ({"onesided": False, "return_complex": True}, "torch.complex64 (b, 400, length//100+1)"),
    ],
)
def test_short_time_transform(kwargs: dict[str, Any], result: str) -> None:
    assert str(infer("torch.stft", WAVE, 400, **kwargs)) == result


def test_the_inverse_of_a_short_time_transform() -> None:
    spectrum = TensorSpec(("b", 201, "t"), "complex64")
    assert str(infer("torch.istft", spectrum, 400)) == "torch.float32 (b, 100*t-100)"
    assert str(infer("torch.istft", spectrum, 400, length=N)) == "torch.float32 (b, n)"
    assert str(infer("torch.istft", spectrum, 400, center=False)) == "torch.float32 (b, 100*t+300)"


def test_windows() -> None:
    assert str(infer("torch.hann_window", N)) == "torch.float32 (n,)"
    assert str(infer("torch.kaiser_window", 12, False, 12.0, dtype="float64")) == "torch.float64 (12,)"
    assert str(infer("torch.signal.windows.kaiser", N, beta=2.0)) == "torch.float32 (n,)"
    assert str(infer("torch.signal.windows.general_cosine", 0, a=[0.5, 0.5])) == "torch.float32 (0,)"


@given(st.integers(2, 9), st.integers(2, 9), st.sampled_from((0, 1, -1)))
@settings(max_examples=20, deadline=None)
def test_agrees_with_torch(h: int, w: int, dim: int) -> None:
    sizes = {"h": h, "w": w}
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        agree(f"fft.{name}", getattr(torch.fft, name), lambda h, w: (T(h, w), {"dim": dim}), sizes)
        agree(f"fft.{name}2", getattr(torch.fft, f"{name}2"), lambda h, w: T(2, h, w), sizes)
        agree(f"fft.{name}n", getattr(torch.fft, f"{name}n"), lambda h, w: (T(h, w), {"s": (w, h + 1)}), sizes)


@given(st.integers(10, 80), st.integers(1, 18), st.integers(1, 7), st.booleans())
@settings(max_examples=40, deadline=None)
def test_short_time_agrees_with_torch(length: int, points: int, hop: int, center: bool) -> None:
    options = {"center": center, "return_complex": True}
    agree(
        "stft",
        torch.stft,
        lambda length, points, hop: (T(2, length), points, hop, options),
        {"length": length, "points": points, "hop": hop},
    )
