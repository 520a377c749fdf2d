"""Pools of every kind."""

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


IMAGE = f32("b", "c", "h", "w")

SIZES = [
    ("max_pool2d", (IMAGE, 2), {}, "(b, c, h//2, w//2)"),
    ("max_pool2d", (IMAGE, 2), {"ceil_mode": True}, "(b, c, (h+1)//2, (w+1)//2)"),
    ("max_pool2d", (IMAGE, 3, 2, 1), {}, "(b, c, (h+1)//2, (w+1)//2)"),
    ("max_pool2d", (IMAGE, 3, 2), {"ceil_mode": True}, "(b, c, h//2, w//2)"),
    ("max_pool2d", (f32("c", "h", "w"), (2, 1)), {}, "(c, h//2, w)"),
    ("max_pool2d", (f32(...), 2), {}, "(..., ?, ?)"),
    ("max_pool2d", (f32("*n", "h", "w"), 2), {}, "(*n, h//2, w//2)"),
    ("max_pool2d", (IMAGE, UNKNOWN), {}, "(b, c, ?, ?)"),
    ("avg_pool1d", (f32("b", "c", "l"), 3, 1, 1), {}, "(b, c, l)"),
    ("avg_pool2d", (IMAGE, IMAGE.dims[2:]), {}, "(b, c, 1, 1)"),
    ("lp_pool3d", (f32(2, 3, 8, 8, 8), 2.0, 3), {}, "(2, 3, 2, 2, 2)"),
    ("adaptive_avg_pool2d", (IMAGE, 1), {}, "(b, c, 1, 1)"),
    ("adaptive_avg_pool2d", (IMAGE, (None, 7)), {}, "(b, c, h, 7)"),
    ("F.adaptive_max_pool2d", (IMAGE, (5, 7)), {}, "(b, c, 5, 7)"),
    ("fractional_max_pool2d", (f32(2, 3, 9, 9), 2), {"output_ratio": (0.5, 0.7)}, "(2, 3, 4, 6)"),
    ("fractional_max_pool2d", (IMAGE, 2), {"output_ratio": (0.5, 0.5)}, "(b, c, h//2, w//2)"),
    ("max_unpool2d", (IMAGE, TensorSpec(("b", "c", "h", "w"), "int64"), 2), {}, "(b, c, 2*h, 2*w)"),
]


@pytest.mark.parametrize(("name", "arguments", "options", "shown"), SIZES)
def test_sizes(name: str, arguments: Any, options: Any, shown: str) -> None:
    assert str(infer(name, *arguments, **options).shape) == shown


# size, kernel, stride, padding: with ceil_mode the last window must start inside the input or its left padding
CEILED = [(5, 2, 2, 0, 3), (4, 2, 2, 1, 3), (3, 2, 2, 1, 2), (5, 1, 3, 0, 2), (6, 2, 5, 0, 2), (5, 2, 5, 0, 1)]


@pytest.mark.parametrize(("size", "kernel", "stride", "padding", "due"), CEILED)
def test_ceil_mode(size: int, kernel: int, stride: int, padding: int, due: int) -> None:
    assert infer("max_pool1d", f32(1, 1, size), kernel, stride, padding, ceil_mode=True).shape == (1, 1, due)
    assert F.max_pool1d(T(1, 1, size).real(), kernel, stride, padding, ceil_mode=True).shape == (1, 1, due)


@pytest.mark.parametrize("name", ["aten.max_pool2d_with_indices", "F.max_pool2d_with_indices"])
def test_indices_are_int64(name: str) -> None:
    assert [str(one) for one in infer(name, IMAGE, 2)] == [
        "torch.float32 (b, c, h//2, w//2)",
        "torch.int64 (b, c, h//2, w//2)",
    ]


def test_torch_gives_the_indices_of_an_adaptive_max_pool_and_functional_only_when_asked() -> None:
    assert len(infer("torch.adaptive_max_pool1d", f32(2, 3, 8), 2)) == 2
    assert infer("F.adaptive_max_pool1d", f32(2, 3, 8), 2).shape == (2, 3, 2)


REFUSALS = [
    (
        "max_pool2d",
        (f32(2, 3, 8, 8), 9),
        ShapeError,
        r"expected output sizes of at least 1, got \(0, 0\) \(input of shape \(2, 3, 8, 8\)\)",
    ),
    (
        "max_pool2d",
        (f32(2, 3, 8, 8), 3, 1, 2),
        CallError,
        "expected padding to be at most half of the kernel size 3, got 2",
    ),
    ("max_pool2d", (f32(8, 8), 2), ShapeError, r"expected a 3-D or 4-D input, got shape \(8, 8\)"),
    ("max_pool2d", (f32(2, 0, 8, 8), 2), ShapeError, "non-zero"),
    ("max_pool2d", (IMAGE, (2, 2, 2)), CallError, r"expected kernel_size to have 1 or 2 values, got \(2, 2, 2\)"),
    ("max_pool2d", (TensorSpec((2, 3, 8, 8), "bool"), 2), DTypeError, "bool"),
    (
        "avg_pool3d",
        (f32(1, 1, 4, 4, 2), 3, 1, 1),
        ShapeError,
        r"kernel of size \(3, 3, 3\) is larger than the input of shape \(1, 1, 4, 4, 2\)",
    ),
    (
        "adaptive_avg_pool2d",
        (IMAGE, (1, 2, 3)),
        CallError,
        r"expected output_size to be an integer or 2 integers, got \(1, 2, 3\)",
    ),
    ("adaptive_avg_pool2d", (TensorSpec((2, 3, 8, 8), "int64"), 2), DTypeError, "int64"),
    (
        "fractional_max_pool2d",
        (f32(2, 3, 8, 8), 3, 7),
        ShapeError,
        r"kernel size 3 is too large for size 8 of the input \(2, 3, 8, 8\): expected at least 9",
    ),
    (
        "max_unpool2d",
        (f32(1, 1, 4, 4), TensorSpec((1, 1, 4, 4), "int32"), 2),
        DTypeError,
        "expected indices of dtype torch.int64, got torch.int32",
    ),
    (
        "max_unpool2d",
        (f32(1, 1, 4, 4), TensorSpec((1, 1, 4, 3), "int64"), 2),
        ShapeError,
        r"expected indices of shape \(1, 1, 4, 4\), the shape of the input, got \(1, 1, 4, 3\)",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "error", "message"), REFUSALS)
def test_refusals(name: str, arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        infer(name, *arguments)


@given(
    st.sampled_from(["max_pool", "avg_pool"]),
    st.lists(st.integers(1, 9), min_size=1, max_size=3),
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(0, 2),
    st.booleans(),
)
def test_pools_agree_with_torch(
    kind: str, sizes: list[int], kernel: int, stride: int, padding: int, ceil: bool
) -> None:
    name = f"{kind}{len(sizes)}d"
    more = (1, ceil) if kind == "max_pool" else (ceil,)

    def call(b: Any, c: Any, **size: Any) -> Any:
        return (T(b, c, *size.values()), kernel, stride, padding, *more)

    agree(name, getattr(F, name), call, {"b": 2, "c": 3} | {f"s{i}": size for i, size in enumerate(sizes)})
