"""cumsum, diff, trapezoid, gradient."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from tests.ops.laws import T, agree

X = TensorSpec(("b", "t", "d"), "float32", "contiguous")
INTS = TensorSpec((2, 3), "int32")
OPEN = TensorSpec((..., "d"), "float32")


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "result"),
    [
        ("torch.cumsum", (X, -1), {}, "torch.float32 (b, t, d)"),
        ("Tensor.cumsum", (INTS, 0), {}, "torch.int64 (2, 3)"),
        ("torch.cumsum", (INTS, 0), {"dtype": "int32"}, "torch.int32 (2, 3)"),
        ("Tensor.cumsum_", (INTS, 0), {}, "torch.int32 (2, 3)"),
        ("torch.cumprod", (OPEN, 1), {}, "torch.float32 (..., d)"),
        ("torch.logcumsumexp", (X, 1), {}, "torch.float32 (b, t, d)"),
        ("torch.diff", (X,), {}, "torch.float32 (b, t, d-1)"),
        ("torch.diff", (OPEN,), {}, "torch.float32 (..., d-1)"),
        ("torch.diff", (X,), {"n": 2, "dim": 1}, "torch.float32 (b, max(t-2, 0), d)"),
        ("torch.diff", (X,), {"prepend": TensorSpec(("b", "t", 1), "float64")}, "torch.float64 (b, t, d)"),
        ("torch.diff", (INTS,), {"n": 9}, "torch.int32 (2, 0)"),
        ("torch.trapezoid", (X,), {}, "torch.float32 (b, t)"),
        ("torch.trapezoid", (INTS,), {"dim": 0}, "torch.float32 (3,)"),
        ("torch.trapezoid", (X, TensorSpec(("t",))), {"dim": 1}, "(b, d)"),
        ("torch.trapz", (TensorSpec((1, 4)), TensorSpec((3, 4))), {}, "(3,)"),
        ("torch.cumulative_trapezoid", (X,), {}, "torch.float32 (b, t, d-1)"),
    ],
)
def test_what_they_give(name: str, args: Any, kwargs: Any, result: str) -> None:
    assert str(infer(name, *args, **kwargs)) == result


def test_gradient_gives_one_tensor_for_each_axis() -> None:
    assert [str(one) for one in infer("torch.gradient", X)] == ["torch.float32 (b, t, d)"] * 3
    assert [str(one) for one in infer("torch.gradient", INTS, dim=0)] == ["torch.float32 (2, 3)"]


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "message"),
    [
        ("cumprod", (X, 3), {}, "cumprod: dim out of range: expected -3 to 2, got 3"),
        ("diff", (X,), {"n": -1}, "diff: expected n to be at least 0, got -1"),
        (
            "diff",
            (X,),
            {"append": TensorSpec(("b", 2))},
            "diff: expected append to be 3-D, got shape (b, 2) (input of shape (b, t, d))",
        ),
        (
            "trapezoid",
            (X, TensorSpec(("t",))),
            {},
            "trapezoid: expected x of shape (d,), got (t,) (dimension -1 of y of shape (b, t, d))",
        ),
        (
            "gradient",
            (INTS,),
            {"spacing": [1.0]},
            "gradient: expected spacing to be a number or a list of length 2, got length 1 "
            "(dim=None, input of shape (2, 3))",
        ),
        (
            "gradient",
            (TensorSpec((1, 3)),),
            {},
            "gradient: expected dimension 0 of the input to be at least edge_order + 1 = 2, got 1 (shape (1, 3))",
        ),
    ],
)
def test_refusals(name: str, args: Any, kwargs: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args, **kwargs)
    assert str(refused.value) == message


@given(b=st.integers(1, 3), n=st.integers(1, 4), order=st.integers(0, 3), dim=st.integers(-2, 1))
@settings(max_examples=40, deadline=None)
def test_symbols_numbers_and_torch_agree(b: int, n: int, order: int, dim: int) -> None:
    sizes = {"b": b, "n": n}
    agree("diff", torch.diff, lambda b, n: (T(b, n), order, dim), sizes)
    agree("diff", torch.diff, lambda b, n: (T(b, n), 1, dim, T(b, n)), sizes)
    agree("cumsum", torch.cumsum, lambda b, n: (T(b, n, dtype="int32"), dim), sizes)
    agree("trapezoid", torch.trapezoid, lambda b, n: (T(b, n), T(n), {"dim": dim}), sizes)
    agree("cumulative_trapezoid", torch.cumulative_trapezoid, lambda b, n: (T(b, n), {"dim": dim}), sizes)
