"""Looking up rows of a table."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.ops import infer
from shapecheck.spec import ShapeError, TensorSpec
from tests.ops.laws import T, agree

TABLE = TensorSpec(("v", "d"), "bfloat16")


def i(*sizes: Any, dtype: str | None = "int64") -> TensorSpec:
    return TensorSpec(sizes, dtype)


@pytest.mark.parametrize(
    ("call", "result"),
    [
        (("F.embedding", i("b", "t"), TABLE), "torch.bfloat16 (b, t, d)"),
        (("F.embedding", i("..."), TABLE), "torch.bfloat16 (..., d)"),
        (("torch.embedding", TABLE, i("b", "t")), "torch.bfloat16 (b, t, d)"),
        (("torch.ops.aten.embedding.default", TABLE, i("b"), 0), "torch.bfloat16 (b, d)"),
        (("F.embedding_bag", i("b", 7), TABLE), "torch.bfloat16 (b, d)"),
        (("F.embedding_bag", i("n"), TABLE, i("k")), "torch.bfloat16 (k, d)"),
        (("F.one_hot", i("b", "t"), 10), "torch.int64 (b, t, 10)"),
        (("F.one_hot", i("b", "t")), "torch.int64 (b, t, classes)"),
        (("F.one_hot", i("...", dtype=None), 10), "torch.int64 (..., 10)"),
    ],
)
def test_results(call: Any, result: str) -> None:
    assert str(infer(*call)) == result


def test_the_last_offset_is_no_bag() -> None:
    assert str(infer("F.embedding_bag", i("n"), TABLE, i("k"), include_last_offset=True).shape) == "(k-1, d)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            ("F.embedding", i("b", dtype="float32"), TABLE),
            "expected the input (indices) to have dtype torch.int64 or torch.int32, got torch.float32",
        ),
        (("F.embedding", i("b"), TensorSpec((3,))), "expected a 2-D weight, got shape (3,)"),
        (
            ("F.embedding", i("b"), TensorSpec((10, 3)), 10),
            "padding_idx out of range: expected -10 to 9, got 10",
        ),
        (("F.embedding_bag", i("n"), TABLE), "expected offsets for a 1-D input, got None"),
        (("F.embedding_bag", i("b", "n"), TABLE, i("k")), "offsets cannot be used with a 2-D input"),
        (("F.embedding_bag", i("b", "n", 2), TABLE), "expected a 1-D or 2-D input, got shape (b, n, 2)"),
        (("F.one_hot", i("b", dtype="int32"), 10), "expected an input of dtype torch.int64, got torch.int32"),
        (("F.one_hot", i(0)), "cannot infer num_classes from an empty tensor; pass num_classes"),
        (("F.one_hot", i(2), 0), "expected num_classes to be at least 1, got 0"),
    ],
)
def test_refusals(call: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(*call)
    assert message in str(refused.value)


numbers = st.fixed_dictionaries({name: st.integers(1, 4) for name in "bvd"})


@settings(deadline=None, max_examples=20)
@given(numbers)
def test_tables_agree_with_torch(sizes: dict[str, int]) -> None:
    agree("F.embedding", F.embedding, lambda b, v, d: (T(b, 2, dtype="int64"), T(v, d)), sizes)
    agree("torch.embedding", torch.embedding, lambda b, v, d: (T(v, d), T(b, dtype="int64")), sizes)
    agree("F.embedding_bag", F.embedding_bag, lambda b, v, d: (T(b, 2, dtype="int64"), T(v, d)), sizes)
    agree("F.one_hot", F.one_hot, lambda b, v, d: (T(b, d, dtype="int64"), v), sizes)
