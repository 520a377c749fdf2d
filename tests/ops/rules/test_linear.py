"""linear and bilinear: what they give, what they refuse and in which words."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from shapecheck.ops import assuming
from tests.ops.laws import T, agree

SIZE = st.integers(1, 4)


def spec(*axes: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(axes, dtype)


@pytest.mark.parametrize(
    ("input", "weight", "result"),
    [
        ((8, 128), (10, 128), (8, 10)),
        ((128,), (10, 128), (10,)),
        ((2, 3, 4, 128), (10, 128), (2, 3, 4, 10)),
        ((0, 128), (10, 128), (0, 10)),
        ((8, 128), (128,), (8,)),
        (("b", "t", "d"), (10, 128), ("b", "t", 10)),
        (("b", "t", "d"), ("4*d", "d"), ("b", "t", "4*d")),
        ((..., 128), (10, 128), (..., 10)),
        (("b", ..., 128), (10, 128), ("b", ..., 10)),
        ((...,), (10, 128), (..., 10)),
    ],
)
def test_linear(input: Any, weight: Any, result: Any) -> None:
    assert str(infer("F.linear", spec(*input), spec(*weight)).shape) == str(spec(*result).shape)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (spec(8, 128), spec(10, 256)),
            "linear: the last axis of the input is 128, the layer takes 256 (weight is 10x256)",
        ),
        (
            (spec("b", "c"), spec("o", "d")),
            "linear: the last axis of the input is c, the layer takes d (weight is o x d)",
        ),
        (
            (spec(..., "4*d"), spec(10, "d")),
            "linear: the last axis of the input is 4*d, the layer takes d (weight is 10 x d)",
        ),
        ((spec(), spec(10, 128)), "linear: the input has no axis, it needs a last one"),
        ((spec(8, 128), spec(2, 10, 128)), "linear: the weight is (2, 10, 128); (out, in) or (in,) is due"),
        (
            (spec(8, 128), spec(10, 128), spec(7)),
            "linear: the bias is (7,), which cannot be expanded to (8, 10)",
        ),
        (
            (spec(8, 128), spec(10, 128, dtype="float64")),
            "linear: the input is torch.float32 and the weight is torch.float64: both must have one dtype",
        ),
        (
            (spec(8, 128, dtype="bool"), spec(10, 128, dtype="bool")),
            "linear: matrices of bool have no product: cast them to a number first",
        ),
    ],
)
def test_linear_refuses(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer("linear", *arguments)
    assert str(refused.value) == message


def test_a_name_that_meets_a_constant_is_noted_and_not_refused() -> None:
    with assuming() as assumed:
        infer("linear", spec("b", "d"), spec(10, 128))
    assert [str(one) for one in assumed] == [
        "d == 128 (the last axis of the input is d, the layer takes 128 (weight is 10x128))"
    ]


def test_a_bias_of_another_dtype_is_added_where_torch_does_not_fuse_it() -> None:
    other = spec(10, dtype="float64")
    assert infer("linear", spec(2, 3, 128), spec(10, 128), other).dtype is spec(1).dtype
    with pytest.raises(ShapeError, match=r"the bias is torch.float64"):
        infer("linear", spec(3, 128), spec(10, 128), other)


def test_what_is_unknown_stays_unknown() -> None:
    assert infer("linear", spec(8, 128, dtype=None), spec(10, 128, dtype=None)).dtype is None
    assert infer("linear", spec(8, 128), TensorSpec.anything()).rank is None


@given(b=SIZE, t=SIZE, i=SIZE, o=SIZE)
@settings(max_examples=15, deadline=None)
def test_linear_agrees_with_torch(b: int, t: int, i: int, o: int) -> None:
    agree(
        "linear",
        torch.nn.functional.linear,
        lambda b, t, i, o: (T(b, t, i), T(o, i), T(o)),
        {"b": b, "t": t, "i": i, "o": o},
    )


@given(b=SIZE, i=SIZE, j=SIZE, k=SIZE)
@settings(max_examples=15, deadline=None)
def test_linear_refuses_what_torch_refuses(b: int, i: int, j: int, k: int) -> None:
    agree(
        "linear",
        torch.nn.functional.linear,
        lambda b, i, j, k: (T(b, i), T(3, j), T(k)),
        {"b": b, "i": i, "j": j, "k": k},
    )


def test_bilinear() -> None:
    assert infer("bilinear", spec("b", 3), spec("b", 4), spec(5, 3, 4)).shape == spec("b", 5).shape
    with pytest.raises(ShapeError, match=r"the last axis of input2 is 3, the layer takes 4 \(weight is 5x3x4\)"):
        infer("bilinear", spec(2, 3), spec(2, 3), spec(5, 3, 4))
