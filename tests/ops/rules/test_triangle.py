"""Triangles and diagonals."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.ops import infer
from shapecheck.spec import ShapeError, TensorSpec, axis
from tests.ops.laws import T, agree

N, M = axis("n"), axis("m")


def x(*sizes: Any) -> TensorSpec:
    return TensorSpec(sizes, "float32", "contiguous")


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        (("torch.tril", x("b", "n", "m"), -1), "(b, n, m)"),
        (("Tensor.triu_", x("...", 4)), "(..., 4)"),
        (("torch.tril_indices", 3, 4), "(2, 6)"),
        (("torch.tril_indices", N, N), "(2, (n**2+n)//2)"),
        (("torch.triu_indices", 3, 4, 1), "(2, 6)"),
        (("torch.diag", x("n")), "(n, n)"),
        (("torch.diag", x("n"), -2), "(n+2, n+2)"),
        (("torch.diag", x("n", "m")), "(min(n, m),)"),
        (("torch.diag", x(3, 4), 2), "(2,)"),
        (("torch.diag_embed", x("b", "n")), "(b, n, n)"),
        (("torch.diag_embed", x("b", "n"), 1, 0, 2), "(n+1, b, n+1)"),
        (("torch.diagflat", x("n", "m")), "(n*m, n*m)"),
    ],
)
def test_shapes(call: Any, shape: str) -> None:
    assert str(infer(*call).shape) == shape


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("torch.tril", x("n")), "expected at least 2 dimensions, got shape (n,)"),
        (("torch.diag", x(2, 2, 2)), "expected a 1-D or 2-D input, got shape (2, 2, 2)"),
        (("torch.diag_embed", x(2), 0, 1, 1), "expected two different dimensions, got dim1=1 and dim2=1"),
        (("torch.tril_indices", -1, 2), "expected row to be non-negative, got -1"),
    ],
)
def test_refusals(call: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(*call)
    assert message in str(refused.value)


numbers = st.fixed_dictionaries({"n": st.integers(1, 5), "m": st.integers(1, 5)})


@settings(deadline=None, max_examples=20)
@given(numbers, st.integers(-6, 6))
def test_triangles_agree_with_torch(sizes: dict[str, int], offset: int) -> None:
    agree("tril", torch.tril, lambda n, m: (T(2, n, m), offset), sizes)
    agree("tril_indices", torch.tril_indices, lambda n, m: (n, m, offset), sizes)
    agree("triu_indices", torch.triu_indices, lambda n, m: (n, m, offset), sizes)
    agree("triu_indices", torch.triu_indices, lambda n, m: (n, n, 1), sizes)
    agree("diag", torch.diag, lambda n, m: (T(n, m), offset), sizes)
    agree("diag", torch.diag, lambda n, m: (T(n), offset), sizes)
    agree("diag_embed", torch.diag_embed, lambda n, m: (T(n, m), offset), sizes)
    agree("diagflat", torch.diagflat, lambda n, m: (T(n, m), offset), sizes)
