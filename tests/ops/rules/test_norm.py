"""Normalisation: what keeps its shape, what the parameters must be, and which dtypes go together."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from shapecheck import TensorSpec, infer
from shapecheck.spec import DTypeError, ShapeError
from tests.ops.laws import T, agree


def spec(*dims: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(dims, dtype)


B, C, H, D = spec("b", "c", "h", "d").dims
X = spec("b", "t", "d")


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("F.layer_norm", (X, (D,)), "torch.float32 (b, t, d)"),
        ("F.layer_norm", (spec(..., 8, 16, dtype="bfloat16"), (8, 16)), "torch.bfloat16 (..., 8, 16)"),
        ("F.layer_norm", (spec(...), (64,)), "torch.float32 (..., 64)"),
        ("F.layer_norm", (spec("b", 4, dtype="float16"), (4,), spec(4), spec(4)), "torch.float16 (b, 4)"),
        ("F.rms_norm", (spec(..., "d", dtype=None), (D,)), "(..., d)"),
        ("F.rms_norm", (spec("b", 4, dtype="bfloat16"), (4,), spec(4, dtype="float64")), "torch.bfloat16 (b, 4)"),
        ("F.group_norm", (spec("b", 32, "h"), 8), "torch.float32 (b, 32, h)"),
        ("F.batch_norm", (spec("b", "c", "h"), spec(C), spec(C)), "torch.float32 (b, c, h)"),
        ("F.batch_norm", (spec("b", "c", "h"), spec(8), spec(8)), "torch.float32 (b, 8, h)"),
        ("F.instance_norm", (spec("b", "c", "h"),), "torch.float32 (b, c, h)"),
        ("F.normalize", (spec(..., "d"), 2.0, -1), "torch.float32 (..., d)"),
        ("F.local_response_norm", (spec("b", "c", "h", dtype="int64"), 2), "torch.float32 (b, c, h)"),
        ("torch.renorm", (spec("b", "d"), 2, 0, 1.0), "torch.float32 (b, d)"),
        ("torch.norm_except_dim", (spec("b", "c", "d"), 2, 1), "torch.float32 (1, c, 1)"),
    ],
)
def test_the_shape_stays_and_learns_what_the_parameters_say(name: str, args: tuple[Any, ...], result: str) -> None:
    assert str(infer(name, *args)) == result


def test_the_native_forms_give_their_statistics_beside() -> None:
    mean = infer("aten.native_layer_norm.default", X, (D,), None, None, 1e-5)[1]
    assert str(mean) == "torch.float32 (b, t, 1)"
    assert str(infer("torch.native_group_norm", X, None, None, B, 8, D, 4, 1e-5)[2]) == "torch.float32 (b, 4)"
    assert (
        str(infer("torch.native_batch_norm", spec("b", "c"), None, None, None, None, True, 0.1, 1e-5)[1])
        == "torch.float32 (c,)"
    )


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("F.layer_norm", (X, (128,)), None),
        (
            "F.layer_norm",
            (spec(..., 128), (256,)),
            "expected dimension -1 of the input to be 256, got 128 (normalized_shape is (256,), input of shape",
        ),
        (
            "F.layer_norm",
            (X, (C,)),
            "expected dimension -1 of the input to be c, got d (normalized_shape is (c,), input of shape (b, t, d))",
        ),
        ("F.layer_norm", (X, 128), "expected normalized_shape to be a tuple of ints, got 128"),
        (
            "F.layer_norm",
            (X, (D,), spec(1, "d")),
            "expected a weight of shape (d,), the normalized_shape, got (1, d)",
        ),
        ("F.rms_norm", (X, ()), "expected normalized_shape to have at least one element, got ()"),
        (
            "F.batch_norm",
            (spec("b", 32, 7), spec(64), spec(64)),
            "expected running_mean to have 32 elements, one per channel of (b, 32, 7), got 64",
        ),
        (
            "F.batch_norm",
            (spec("b", "c"), None, None),
            "running_mean and running_var are required unless training is True",
        ),
        (
            "F.batch_norm",
            (spec(1, 4), None, None, None, None, True),
            "expected more than 1 value per channel when training, got input of shape (1, 4)",
        ),
        (
            "F.instance_norm",
            (spec("b", "c", 1),),
            "expected more than 1 spatial element when training, got input of shape (b, c, 1)",
        ),
        (
            "F.group_norm",
            (spec("b", 20, 4), 8),
            "expected the number of channels of the input to be divisible by num_groups, got 20 and 8",
        ),
        ("F.group_norm", (spec("b"), 8), "expected an input of shape (N, C, ...), got (b,)"),
        ("F.normalize", (spec("b"),), "dim out of range: expected -1 to 0, got 1"),
        ("torch.renorm", (spec("b"), 2, 0, 1.0), "expected at least 2 dimensions, got shape (b,)"),
        ("F.local_response_norm", (spec("b", "c"), 2), "expected at least 3 dimensions, got shape (b, c)"),
    ],
)
def test_a_refusal_names_both_sizes(name: str, args: tuple[Any, ...], message: str | None) -> None:
    if message is None:
        assert infer(name, *args).rank == 3
        return
    with pytest.raises(ShapeError) as refusal:
        infer(name, *args)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    "args",
    [
        (spec("b", 4, dtype="int64"), (4,)),
        (spec("b", 4), (4,), spec(4, dtype="bfloat16")),
        (spec("b", 4, dtype="float64"), (4,), spec(4)),
        (spec("b", 4, dtype="bfloat16"), (4,), spec(4), spec(4, dtype="bfloat16")),
    ],
)
def test_dtypes_that_do_not_go_together(args: tuple[Any, ...]) -> None:
    with pytest.raises(DTypeError):
        infer("F.layer_norm", *args)


SMALL = st.integers(1, 5)


@settings(max_examples=30, deadline=None)
@given(SMALL, SMALL, SMALL)
def test_symbols_numbers_and_torch_agree(b: int, c: int, h: int) -> None:
    sizes = {"b": b, "c": c, "h": h}
    agree("F.layer_norm", F.layer_norm, lambda b, c, h: (T(b, c, h), (c, h), T(c, h)), sizes)
    agree("F.rms_norm", F.rms_norm, lambda b, c, h: (T(b, c, h), (h,), T(h)), sizes)
    agree("F.batch_norm", F.batch_norm, lambda b, c, h: (T(b, c, h), T(c), T(c)), sizes)
    agree("F.instance_norm", F.instance_norm, lambda b, c, h: (T(b, c, h, 2),), sizes)
    agree("F.group_norm", F.group_norm, lambda b, c, h: (T(b, c, h, 2), 2), sizes)
    agree("F.normalize", F.normalize, lambda b, c, h: (T(b, c, h),), sizes)
    agree("torch.norm_except_dim", torch.norm_except_dim, lambda b, c, h: (T(b, c, h), 2, 2), sizes)
