"""max, min, argmax, median and their kin: whole, along an axis with the places, or of two tensors."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from shapecheck.ops import Unknown
from shapecheck.ops.unknown import UNKNOWN
from tests.ops.laws import T, agree

X = TensorSpec(("b", "t", "d"), "float32", "contiguous")
INTS = TensorSpec((2, 3), "int32")


@pytest.mark.parametrize(
    ("name", "args", "values"),
    [
        ("torch.max", (X, 1), "torch.float32 (b, d)"),
        ("Tensor.min", (X, -1, True), "torch.float32 (b, t, 1)"),
        ("aten.max.dim", (TensorSpec(("*batch", "d"), "bfloat16"), -1), "torch.bfloat16 (*batch,)"),
        ("torch.median", (INTS, 0), "torch.int32 (3,)"),
        ("torch.nanmedian", (X, 0), "torch.float32 (t, d)"),
        ("torch.mode", (X,), "torch.float32 (b, t)"),
        ("torch.kthvalue", (X, 2, 0), "torch.float32 (t, d)"),
        ("torch.cummax", (X, 1), "torch.float32 (b, t, d)"),
        ("torch.cummin", (INTS, 0), "torch.int32 (2, 3)"),
    ],
)
def test_values_and_indices(name: str, args: Any, values: str) -> None:
    found = infer(name, *args)
    assert str(found.values) == values
    assert str(found.indices) == "torch.int64 " + values[values.index("(") :]
    assert (found.values, found.indices) == tuple(found)


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("torch.max", (X,), "torch.float32 ()"),
        ("torch.median", (X,), "torch.float32 ()"),
        ("torch.max", (X, X), "torch.float32 (b, t, d)"),
        ("torch.min", (X, TensorSpec(("t", 1), "int64")), "torch.float32 (b, t, d)"),
        ("torch.argmax", (X,), "torch.int64 ()"),
        ("Tensor.argmin", (X, -1), "torch.int64 (b, t)"),
        ("torch.argmax", (X, None, True), "torch.int64 (1, 1, 1)"),
    ],
)
def test_one_result(name: str, args: Any, result: str) -> None:
    assert str(infer(name, *args)) == result


def test_an_unknown_second_argument_may_be_an_axis_or_a_tensor() -> None:
    assert isinstance(infer("torch.max", X, UNKNOWN), Unknown)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("min", (X, 3), "min: dim out of range: expected -3 to 2, got 3"),
        ("max", (X, (0, 1)), "max: expected dim to be an integer, got (0, 1); use amax or amin for several dimensions"),
        ("kthvalue", (INTS, 4), "kthvalue: k out of range: expected 1 to 3, got 4 (dimension -1 of (2, 3))"),
        (
            "kthvalue",
            (X, X.dims[2] + 1),
            "kthvalue: k out of range: expected 1 to d, got d+1 (dimension -1 of (b, t, d))",
        ),
        (
            "argmax",
            (TensorSpec((3,), "bool"),),
            "argmax: expected an integer or floating-point dtype, got torch.bool",
        ),
        (
            "max",
            (TensorSpec((0, 3)), 0),
            "max: expected at least one element along dim 0 for the extremum, got shape (0, 3)",
        ),
    ],
)
def test_refusals(name: str, args: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert str(refused.value) == message


@given(data=st.data(), b=st.integers(1, 3), t=st.integers(1, 3), dim=st.integers(-2, 1), keepdim=st.booleans())
@settings(max_examples=40, deadline=None)
def test_symbols_numbers_and_torch_agree(data: st.DataObject, b: int, t: int, dim: int, keepdim: bool) -> None:
    name = data.draw(st.sampled_from(["max", "min", "median", "nanmedian", "mode", "argmax", "argmin"]))
    agree(name, getattr(torch, name), lambda b, t: (T(b, t), dim, keepdim), {"b": b, "t": t})
