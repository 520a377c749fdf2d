"""Activations."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import TensorSpec, infer
from shapecheck.ops import UNKNOWN
from shapecheck.spec import ShapeError
from tests.ops.laws import T, agree


def spec(*dims: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(dims, dtype, layout="contiguous")


X = spec("b", "t", "d")


@pytest.mark.parametrize(
    "name",
    [
        "relu",
        "relu6",
        "silu",
        "gelu",
        "mish",
        "elu",
        "selu",
        "celu",
        "leaky_relu",
        "softplus",
        "hardswish",
        "hardsigmoid",
        "logsigmoid",
        "hardtanh",
    ],
)
def test_most_keep_shape_and_dtype(name: str) -> None:
    half = TensorSpec((..., 128), "float16")
    assert infer(f"torch.nn.functional.{name}", X) == X
    assert str(infer(f"F.{name}", half)) == "torch.float16 (..., 128)"


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "result"),
    [
        ("F.softmax", (X,), {"dim": -1}, X),
        ("torch.softmax", (X, -1, "float64"), {}, X.with_dtype(spec(dtype="float64").dtype)),
        ("Tensor.softmax", (spec("b", dtype="float16"), 0), {"dtype": "float32"}, spec("b")),
        ("F.log_softmax", (spec("b", dtype="int64"), 0), {"dtype": "float32"}, spec("b")),
        ("F.gumbel_softmax", (X,), {"hard": True}, X),
        ("aten._softmax", (X, -1, False), {}, X),
        ("F.glu", (X,), {}, spec("b", "t", "d//2")),
        ("F.glu", (spec("b", 8, "t"), 1), {}, spec("b", 4, "t")),
        ("F.prelu", (X, spec(1)), {}, X),
        ("F.prelu", (X, spec("t")), {}, X),
        ("F.threshold", (X, 0.1, 20), {"inplace": True}, X),
        ("F.rrelu", (X,), {"training": True}, X),
        ("F.leaky_relu", (X, UNKNOWN), {"inplace": UNKNOWN}, X),
        ("F.softsign", (spec("b", dtype="int64"),), {}, spec("b")),
        ("relu_", (X,), {}, X),
    ],
)
def test_results(name: str, args: Any, kwargs: Any, result: TensorSpec) -> None:
    found = infer(name, *args, **kwargs)
    assert (str(found), found.layout) == (str(result), "contiguous")


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("F.softmax", (spec(3, 4), 2), "dim out of range: expected -2 to 1, got 2"),
        (
            "F.softmax",
            (spec("b", dtype="int64"), 0),
            "expected a floating-point dtype, got torch.int64",
        ),
        ("F.gelu", (spec("b", dtype="int64"),), "expected a floating-point dtype, got torch.int64"),
        ("F.gelu", (X, "sigmoid"), 'expected approximate to be "none" or "tanh", got "sigmoid"'),
        (
            "F.relu",
            (spec("b", dtype="bool"),),
            "expected an integer or floating-point dtype, got torch.bool",
        ),
        ("F.glu", (spec(3, 5),), "expected an even size in dimension -1 of (3, 5), got 5"),
        ("F.glu", (spec(),), "expected at least 1 dimension, got shape ()"),
        (
            "F.prelu",
            (spec(2, 3), spec(4)),
            "expected a weight of shape (3,), got (4,) (channels in dimension 1 of (2, 3))",
        ),
        ("F.prelu", (spec(5), spec(5)), "expected a weight of shape (1,), got (5,) (a 1-D input has one channel)"),
        ("F.prelu", (X, spec(3, 1)), "expected a 0-D or 1-D weight, got shape (3, 1)"),
        (
            "F.prelu",
            (X, spec(1, dtype="float16")),
            "expected input and weight to have the same dtype, got torch.float32 and torch.float16",
        ),
        ("F.celu", (X, 0), "expected alpha to be nonzero, got 0"),
        ("F.hardtanh", (X, 1, -1), "expected min_val to be at most max_val, got 1 and -1"),
        ("F.softshrink", (X, -1), "expected lambd to be at least 0, got -1"),
        ("F.rrelu", (X, 0.5, 0.1), "expected lower to be at most upper, got 0.5 and 0.1"),
        ("F.relu", ("x",), 'expected a tensor, got "x"'),
    ],
)
def test_calls_that_are_refused(name: str, args: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert message in str(refused.value)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 3), st.integers(1, 4), st.integers(-3, 2))
def test_symbolic_sizes_agree(b: int, t: int, dim: int) -> None:
    sizes = {"b": b, "t": t}
    agree("F.softmax", torch.nn.functional.softmax, lambda b, t: (T(b, t), dim), sizes)
    agree("F.glu", torch.nn.functional.glu, lambda b, t: (T(b, 2 * t), -1), sizes)
    agree("F.glu", torch.nn.functional.glu, lambda b, t: (T(b, t, 4), dim), sizes)
    agree("F.prelu", torch.nn.functional.prelu, lambda b, t: (T(b, t), T(t)), sizes)
