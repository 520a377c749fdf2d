"""Interpolation, grids, shuffles and folds."""

from __future__ import annotations

from typing import Any

import pytest
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from shapecheck import UNKNOWN, CallError, DTypeError, ShapeError, TensorSpec, infer
from tests.ops.laws import T, agree


def f32(*dims: Any) -> TensorSpec:
    return TensorSpec(dims, "float32")


IMAGE = f32("b", 3, "h", "w")
H, W = IMAGE.dims[2:]

SIZES = [
    ("F.interpolate", (IMAGE,), {"scale_factor": 2}, "(b, 3, 2*h, 2*w)"),
    ("F.interpolate", (IMAGE,), {"scale_factor": (0.5, 2.0), "mode": "bilinear"}, "(b, 3, h//2, 2*w)"),
    ("F.interpolate", (IMAGE,), {"scale_factor": 1.5, "recompute_scale_factor": True}, "(b, 3, h+h//2, w+w//2)"),
    ("F.interpolate", (IMAGE,), {"scale_factor": 1 / 3}, "(b, 3, ?, ?)"),  # how it is rounded depends on the size
    ("F.interpolate", (f32(1, 3, 9, 9),), {"scale_factor": 1 / 3}, "(1, 3, 3, 3)"),
    ("F.interpolate", (IMAGE, (2 * H, 7)), {"mode": "bicubic"}, "(b, 3, 2*h, 7)"),
    ("F.interpolate", (IMAGE, 7), {"mode": "area"}, "(b, 3, 7, 7)"),
    ("F.interpolate", (IMAGE, UNKNOWN), {}, "(b, 3, ?, ?)"),
    ("F.interpolate", (f32(...), (5, 6)), {}, "(?, ?, 5, 6)"),
    ("F.interpolate", (f32(..., "h", "w"),), {"scale_factor": 2, "mode": "bilinear"}, "(?, ?, 2*h, 2*w)"),
    ("F.interpolate", (f32("b", "c", ...), 7), {}, "(b, c, ..., 7)"),
    ("aten.upsample_nearest2d.vec", (IMAGE, None, [2.0, 2.0]), {}, "(b, 3, 2*h, 2*w)"),
    ("aten.upsample_bilinear2d", (IMAGE, [4, 5], False), {}, "(b, 3, 4, 5)"),
    ("F.grid_sample", (IMAGE, f32("b", "p", "q", 2)), {}, "(b, 3, p, q)"),
    ("F.grid_sample", (f32(...), f32("b", "p", "q", "r", 3)), {}, "(?, ?, p, q, r)"),
    ("F.affine_grid", (f32("b", 2, 3), IMAGE.shape), {}, "(b, h, w, 2)"),
    ("F.pixel_shuffle", (f32("b", "4*c", "h", "w"), 2), {}, "(b, c, 2*h, 2*w)"),
    ("F.pixel_shuffle", (f32(...), 2), {}, "(..., ?, ?, ?)"),
    ("F.pixel_unshuffle", (f32("*n", 3, "h", "w"), 2), {}, "(*n, 12, h//2, w//2)"),
    ("F.channel_shuffle", (f32("b", 6, "h", "w"), 3), {}, "(b, 6, h, w)"),
    ("F.unfold", (IMAGE, 3), {"padding": 1}, "(b, 27, h*w)"),
    ("F.unfold", (IMAGE, 16), {"stride": 16}, "(b, 768, (h//16)*(w//16))"),
    ("F.fold", (f32("b", 27, "n"), (H, W), 3), {"padding": 1}, "(b, 3, h, w)"),
    ("aten.col2im", (f32(12, 9), [4, 4], [2, 2], [1, 1], [0, 0], [1, 1]), {}, "(3, 4, 4)"),
]


@pytest.mark.parametrize(("name", "arguments", "options", "shown"), SIZES)
def test_sizes(name: str, arguments: Any, options: Any, shown: str) -> None:
    assert str(infer(name, *arguments, **options).shape) == shown


REFUSALS = [
    ("F.interpolate", (IMAGE,), {}, CallError, "expected either size or scale_factor, got neither"),
    ("F.interpolate", (IMAGE, 5, 2), {}, CallError, "expected either size or scale_factor, got both"),
    (
        "F.interpolate",
        (IMAGE, (5,)),
        {},
        CallError,
        r"expected 2 values in size or scale_factor for an input of shape \(b, 3, h, w\), got 1",
    ),
    ("F.interpolate", (IMAGE, 0), {}, ShapeError, r"expected output sizes of at least 1, got \(0, 0\)"),
    (
        "F.interpolate",
        (f32("b", "c", "l"), 5),
        {"mode": "bilinear"},
        ShapeError,
        r'expected a 4-D input for mode="bilinear", got shape \(b, c, l\)',
    ),
    (
        "F.interpolate",
        (IMAGE, 5),
        {"align_corners": True},
        CallError,
        'align_corners requires a linear or bicubic mode, got mode="nearest"',
    ),
    (
        "F.interpolate",
        (IMAGE, 5),
        {"mode": "cubic"},
        CallError,
        'expected mode to be one of "nearest", "nearest-exact", "area", "linear", "bilinear", "bicubic", "lanczos"',
    ),
    ("F.interpolate", (TensorSpec((1, 1, 4, 4), "int64"), 5), {}, DTypeError, "int64"),
    (
        "F.grid_sample",
        (IMAGE, f32("b", "p", "q", 3)),
        {},
        ShapeError,
        r"expected the last dimension of the grid to be 2, got 3 \(grid of shape \(b, p, q, 3\)\)",
    ),
    (
        "F.grid_sample",
        (f32(2, 3, 4, 4), f32(1, 5, 5, 2)),
        {},
        ShapeError,
        r"expected input and grid to have the same batch size, got shapes \(2, 3, 4, 4\) and \(1, 5, 5, 2\)",
    ),
    (
        "F.affine_grid",
        (f32(2, 3, 4), (2, 3, 4, 5)),
        {},
        ShapeError,
        r"expected theta of shape \(2, 2, 3\) for size \(2, 3, 4, 5\), got \(2, 3, 4\)",
    ),
    ("F.pixel_shuffle", (IMAGE, 2), {}, ShapeError, "to be divisible by .*upscale_factor.*, got 3 and 4"),
    ("F.pixel_unshuffle", (f32(3, 5, 4), 2), {}, ShapeError, "to be divisible by downscale_factor.*, got 5 and 2"),
    ("F.channel_shuffle", (f32(2, 5, 4), 2), {}, ShapeError, "to be divisible by groups.*, got 5 and 2"),
    ("F.unfold", (f32(2, 3, 4, 4), 5), {}, ShapeError, r"expected output sizes of at least 1, got \(0, 0\)"),
    (
        "F.fold",
        (f32(2, 12, 8), (4, 4), 2),
        {},
        ShapeError,
        r"the last dimension of the input to be 9, got 8 \(3 \* 3 sliding blocks in an output of size \(4, 4\)",
    ),
    (
        "F.fold",
        (f32(2, 13, 9), (4, 4), 2),
        {},
        ShapeError,
        "to be divisible by the product of kernel_size.*, got 13 and 4",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "options", "error", "message"), REFUSALS)
def test_refusals(name: str, arguments: Any, options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        infer(name, *arguments, **options)


def test_a_factor_that_a_float_holds_is_exact() -> None:
    for size in range(1, 200):
        due = F.interpolate(T(1, 1, size).real(), scale_factor=1.25).shape[-1]
        assert infer("F.interpolate", f32(1, 1, size), scale_factor=1.25).shape[-1] == due == 5 * size // 4


@given(st.lists(st.integers(1, 9), min_size=1, max_size=3), st.sampled_from([0.3, 0.5, 1 / 3, 1.25, 2, 3.0]))
def test_interpolation_agrees_with_torch(sizes: list[int], factor: float) -> None:
    def call(b: Any, c: Any, **size: Any) -> Any:
        return (T(b, c, *size.values()), {"scale_factor": factor})

    agree("F.interpolate", F.interpolate, call, {"b": 2, "c": 3} | {f"s{i}": size for i, size in enumerate(sizes)})


window = st.integers(1, 3)


@given(st.integers(1, 7), st.integers(1, 7), window, window, st.integers(0, 2), window)
def test_unfold_agrees_with_torch(h: int, w: int, kernel: int, dilation: int, padding: int, stride: int) -> None:
    def call(b: Any, c: Any, h: Any, w: Any) -> Any:
        return (T(b, c, h, w), kernel, dilation, padding, stride)

    agree("F.unfold", F.unfold, call, {"b": 2, "c": 3, "h": h, "w": w})
