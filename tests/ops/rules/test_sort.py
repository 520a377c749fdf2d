"""sort, topk, searchsorted, unique, nonzero, histograms: sizes that are known, and those that the data decides."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from shapecheck.ops import Unknown
from shapecheck.ops.unknown import UNKNOWN
from shapecheck.spec import axis
from tests.ops.laws import T, agree

K, D = axis("k"), axis("d")
X = TensorSpec(("b", "t", "d"), "float32", "contiguous")
INTS = TensorSpec((5,), "int64")
OPEN = TensorSpec((..., "d"), "float32")


def shown(found: Any) -> str:
    return " ".join(map(shown, found)) if isinstance(found, (tuple, list)) else str(found)


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "result"),
    [
        ("torch.sort", (X,), {}, "torch.float32 (b, t, d) torch.int64 (b, t, d)"),
        ("Tensor.sort", (X, 0, True), {}, "torch.float32 (b, t, d) torch.int64 (b, t, d)"),
        ("torch.sort", (X,), {"stable": True, "dim": 1}, "torch.float32 (b, t, d) torch.int64 (b, t, d)"),
        ("torch.argsort", (OPEN,), {"descending": True}, "torch.int64 (..., d)"),
        ("torch.msort", (X,), {}, "torch.float32 (b, t, d)"),
        ("torch.topk", (X, 5), {}, "torch.float32 (b, t, 5) torch.int64 (b, t, 5)"),
        ("Tensor.topk", (X, K, 1), {}, "torch.float32 (b, k, d) torch.int64 (b, k, d)"),
        ("torch.topk", (OPEN, 5), {"dim": -1}, "torch.float32 (..., 5) torch.int64 (..., 5)"),
        ("torch.topk", (X, UNKNOWN), {}, "torch.float32 (b, t, ?) torch.int64 (b, t, ?)"),
        ("torch.topk", (TensorSpec((), "int32"), 1), {}, "torch.int32 () torch.int64 ()"),
        ("torch.searchsorted", (TensorSpec(("n",)), X), {}, "torch.int64 (b, t, d)"),
        ("torch.searchsorted", (INTS, 3), {"out_int32": True}, "torch.int32 ()"),
        ("torch.bucketize", (X, TensorSpec((9,))), {"right": True}, "torch.int64 (b, t, d)"),
        ("torch.unique", (X,), {}, "torch.float32 (?,)"),
        (
            "torch.unique",
            (X,),
            {"return_inverse": True, "return_counts": True},
            "torch.float32 (?,) torch.int64 (b, t, d) torch.int64 (?,)",
        ),
        ("torch.unique", (X,), {"dim": 1, "return_inverse": True}, "torch.float32 (b, ?, d) torch.int64 (t,)"),
        ("torch.unique_consecutive", (X, False, True), {}, "torch.float32 (?,) torch.int64 (?,)"),
        ("torch.nonzero", (X,), {}, "torch.int64 (?, 3)"),
        ("Tensor.nonzero", (X,), {"as_tuple": True}, "torch.int64 (?,) torch.int64 (?,) torch.int64 (?,)"),
        ("torch.nonzero", (TensorSpec(()),), {"as_tuple": True}, "torch.int64 (?,)"),
        ("torch.argwhere", (OPEN,), {}, "torch.int64 (?, ?)"),
        ("torch.bincount", (INTS,), {}, "torch.int64 (?,)"),
        ("torch.bincount", (INTS, TensorSpec((5,), "float16")), {}, "torch.float64 (?,)"),
        ("torch.histc", (X, 10), {}, "torch.float32 (10,)"),
        ("torch.histogram", (X, 10), {}, "torch.float32 (10,) torch.float32 (11,)"),
        ("torch.histogram", (X, TensorSpec(("n",), "float32")), {}, "torch.float32 (n-1,) torch.float32 (n,)"),
        (
            "torch.histogramdd",
            (TensorSpec((9, 2), "float32"), [3, 4]),
            {},
            "torch.float32 (3, 4) torch.float32 (4,) torch.float32 (5,)",
        ),
    ],
)
def test_what_they_give(name: str, args: Any, kwargs: Any, result: str) -> None:
    assert shown(infer(name, *args, **kwargs)) == result


def test_sorting_keeps_the_strides() -> None:
    turned = infer("Tensor.transpose", X, 1, 2)
    assert infer("torch.sort", turned).values.strides == turned.strides


def test_counts_and_values_of_unique_have_one_length() -> None:
    values, counts = infer("torch.unique", X, return_counts=True)
    assert values.dims == counts.dims


def test_indices_of_an_unknown_rank_are_unknown() -> None:
    assert isinstance(infer("torch.nonzero", OPEN, as_tuple=True), Unknown)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("topk", (INTS, 6), "topk: expected k to be at most 5, the size of dimension -1 of (5,), got 6"),
        ("topk", (X, 2 * D), "topk: expected k to be at most d, the size of dimension -1 of (b, t, d), got 2*d"),
        ("sort", (X, 4), "sort: dim out of range: expected -3 to 2, got 4"),
        ("bucketize", (X, X), "bucketize: expected boundaries to be 1-D, got shape (b, t, d)"),
        (
            "searchsorted",
            (TensorSpec((2, 5)), TensorSpec((3, 7))),
            "searchsorted: expected sorted_sequence to be 1-D or to match the input except in the last dimension, "
            "got shapes (2, 5) and (3, 7)",
        ),
        (
            "bincount",
            (X.with_dtype(INTS.dtype),),
            "bincount: expected a 1-D input, got shape (b, t, d)",
        ),
        (
            "unique",
            (TensorSpec((0, 3)), True, False, False, 1),
            "unique: expected no empty dimension other than dim 1, got shape (0, 3)",
        ),
        ("histc", (X, 0), "histc: expected bins to be positive, got 0"),
    ],
)
def test_refusals(name: str, args: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert str(refused.value) == message


@given(b=st.integers(1, 3), n=st.integers(1, 4), k=st.integers(0, 5), dim=st.integers(-2, 1))
@settings(max_examples=40, deadline=None)
def test_topk_of_symbols_numbers_and_torch_agree(b: int, n: int, k: int, dim: int) -> None:
    agree("topk", torch.topk, lambda b, n: (T(b, n), k, dim), {"b": b, "n": n})
    agree("sort", torch.sort, lambda b, n: (T(b, n), dim), {"b": b, "n": n})
    agree("searchsorted", torch.searchsorted, lambda b, n, k: (T(b, n), T(b, k)), {"b": b, "n": n, "k": k + 1})
