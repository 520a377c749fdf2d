"""std, var, quantile."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from tests.ops.laws import T, agree

X = TensorSpec(("b", "t", "d"), "float32", "contiguous")
SEVERAL = TensorSpec((3,), "float32")


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "result"),
    [
        ("torch.std", (X,), {}, "torch.float32 ()"),
        ("torch.std", (X, False), {}, "torch.float32 ()"),  # unbiased, not an axis
        ("Tensor.var", (X, -1), {"keepdim": True, "unbiased": False}, "torch.float32 (b, t, 1)"),
        ("torch.var", (X, (0, 1)), {"correction": 0}, "torch.float32 (d,)"),
        ("torch.std", (TensorSpec((3,), "complex64"),), {}, "torch.float32 ()"),
        ("torch.std", (TensorSpec((..., "d"), "float16"), -1), {}, "torch.float16 (...)"),
        ("torch.quantile", (X, 0.5), {}, "torch.float32 ()"),
        ("torch.quantile", (X, 0.5, 1), {}, "torch.float32 (b, d)"),
        ("torch.quantile", (X, SEVERAL), {"dim": 1}, "torch.float32 (3, b, d)"),
        ("torch.nanquantile", (X, SEVERAL), {"dim": 1, "keepdim": True}, "torch.float32 (3, b, 1, d)"),
        ("torch.hash_tensor", (X,), {"dim": 0}, "torch.uint64 (t, d)"),
    ],
)
def test_what_they_give(name: str, args: Any, kwargs: Any, result: str) -> None:
    assert str(infer(name, *args, **kwargs)) == result


def test_the_mean_of_complex_numbers_is_complex() -> None:
    std, mean = infer("torch.std_mean", TensorSpec((3, 4), "complex64"), 0)
    assert (str(std), str(mean)) == ("torch.float32 (4,)", "torch.complex64 (4,)")


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        (
            "var",
            (TensorSpec((3,), "int64"),),
            "var: a torch.int64 tensor is not supported; the dtype must be floating or complex",
        ),
        (
            "quantile",
            (X.with_dtype(TensorSpec((), "float16").dtype), 0.5),
            "quantile: the input tensor must be either float or double dtype, it is torch.float16",
        ),
        ("quantile", (X, 2.0), "quantile: q must be in the range [0, 1], it is 2.0"),
        (
            "quantile",
            (X, SEVERAL.with_dtype(TensorSpec((), "float64").dtype)),
            "quantile: the q tensor must be of the same dtype as the input tensor: "
            "they are torch.float64 and torch.float32",
        ),
    ],
)
def test_refusals(name: str, args: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert str(refused.value) == message


@given(b=st.integers(1, 3), n=st.integers(1, 4), dim=st.integers(-2, 1), keepdim=st.booleans())
@settings(max_examples=30, deadline=None)
def test_symbols_numbers_and_torch_agree(b: int, n: int, dim: int, keepdim: bool) -> None:
    sizes = {"b": b, "n": n}
    agree("quantile", torch.quantile, lambda b, n: (T(b, n), 0.5, dim, keepdim), sizes)
    agree("var_mean", torch.var_mean, lambda b, n: (T(b, n), {"dim": dim, "keepdim": keepdim}), sizes)
