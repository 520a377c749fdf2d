"""Operators on three values."""

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


MASK = spec("t", "t", dtype="bool")
SCORES = spec("b", "h", "t", "t")


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("torch.where", (MASK, SCORES, 0.0), SCORES),
        ("torch.where", (MASK, 1, 2), spec("t", "t", dtype="int64")),
        ("torch.where", (MASK, SCORES, spec(dtype="float64")), SCORES),
        ("torch.where", (spec("b", 1, dtype="bool"), spec("t"), spec("t", dtype="int64")), spec("b", "t")),
        ("Tensor.where", (SCORES, MASK, 0.0), SCORES),
        ("Tensor.masked_fill", (SCORES, MASK, float("-inf")), SCORES),
        ("torch.masked_fill", (spec("t"), MASK, UNKNOWN), spec("t", "t")),
        ("Tensor.masked_fill_", (SCORES, MASK, -1e9), SCORES),
        ("Tensor.clamp", (spec("b"), 0, 1), spec("b")),
        ("clip", (spec("b", dtype="int64"), 0.5), spec("b")),
        ("torch.clamp", (spec("b", "t"), spec("t"), spec("t")), spec("b", "t")),
        ("torch.addcmul", (spec("b", "t"), spec("t"), spec("b", 1)), spec("b", "t")),
        ("torch.addcdiv", (spec("b", "t"), spec("t"), spec("b", 1)), spec("b", "t")),
        ("torch.lerp", (spec("b", "t"), spec("t"), 0.5), spec("b", "t")),
        ("Tensor.lerp_", (spec("b", "t"), spec("t"), spec("b", 1)), spec("b", "t")),
    ],
)
def test_results(name: str, args: tuple[Any, ...], result: TensorSpec) -> None:
    assert infer(name, *args) == result


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("torch.where", (SCORES, SCORES, 0.0), "expected condition to have dtype torch.bool, got torch.float32"),
        ("torch.where", (MASK, SCORES), "takes 1 or 3 positional arguments (condition, input, other) but 2 were given"),
        ("masked_fill", (SCORES, SCORES, 0.0), "expected the mask to have dtype torch.bool, got torch.float32"),
        (
            "masked_fill",
            (spec(2, 3), spec(2, dtype="bool"), 0),
            "cannot broadcast (2, 3) and (2,): 3 != 2 in dimension -1",
        ),
        (
            "masked_fill_",
            (spec(3), spec(2, 3, dtype="bool"), 0),
            "the result is (2, 3), but the tensor changed in place",
        ),
        ("masked_fill", (SCORES, MASK, spec(1)), "expected value to be a number or a 0-D tensor, got shape (1,)"),
        (
            "masked_fill",
            (spec("b", dtype="float16"), MASK, -1e9),
            "cannot convert -1000000000.0 to torch.float16 without overflow",
        ),
        (
            "masked_fill",
            (spec("b", dtype="int64"), MASK, float("-inf")),
            "cannot convert -inf to torch.int64 without overflow",
        ),
        ("clamp", (SCORES,), "expected min, max or both, got neither"),
        (
            "clamp",
            (spec(3), spec(3), 1),
            "expected min and max to be both tensors or both numbers, got a tensor of shape (3,) and 1",
        ),
        (
            "clamp_",
            (spec("b", dtype="int64"), 0.5),
            "cannot write a result of dtype torch.float32 in place into a tensor of dtype torch.int64",
        ),
        (
            "addcdiv",
            (spec(3), *(spec(3, dtype="int64"),) * 2),
            "cannot divide integer tensors: tensor1 has dtype torch.int64 and tensor2 torch.int64",
        ),
        (
            "lerp",
            (spec(3), spec(3, dtype="float64"), 0.5),
            "expected input and end to have the same dtype, got torch.float32 and torch.float64",
        ),
    ],
)
def test_calls_that_are_refused(name: str, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert message in str(refused.value)


def test_a_condition_alone_gives_one_vector_of_indices_for_each_axis() -> None:
    rows, columns = infer("torch.where", MASK)
    assert (rows.rank, rows.shape, str(rows.dtype)) == (1, columns.shape, "torch.int64")


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 3), st.integers(1, 3), st.sampled_from([(True, False), (False, True), (True, True)]))
def test_symbolic_sizes_agree(b: int, t: int, which: tuple[bool, bool]) -> None:
    sizes = {"b": b, "t": t}
    rows, columns = which

    def mask(b: Any, t: Any) -> T:
        return T(b if rows else 1, t if columns else 1, dtype="bool")

    agree("where", torch.where, lambda b, t: (mask(b, t), T(b, t), T(t)), sizes)
    agree("masked_fill", torch.masked_fill, lambda b, t: (T(b, t), mask(b, t), 0.0), sizes)
    agree("addcmul", torch.addcmul, lambda b, t: (T(t), T(b, 1), T(b, t)), sizes)
    agree("clamp", torch.clamp, lambda b, t: (T(b, t), {"min": T(t)}), sizes)
