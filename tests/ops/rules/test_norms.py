"""norm, torch.linalg's norms, dist and cdist."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from tests.ops.laws import T, agree

X = TensorSpec(("b", "t", "d"), "float32", "contiguous")
OPEN = TensorSpec((..., "d"), "float32")
MATRIX = TensorSpec(("n", "m"), "complex64")


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "result"),
    [
        ("Tensor.norm", (X,), {}, "torch.float32 ()"),
        ("Tensor.norm", (X,), {"dim": -1, "keepdim": True}, "torch.float32 (b, t, 1)"),
        ("torch.norm", (X, 2, -1), {}, "torch.float32 (b, t)"),
        ("torch.norm", (X, 1, (0, 1)), {"dtype": "float64"}, "torch.float64 (d,)"),
        ("torch.norm", (OPEN,), {"dim": -1}, "torch.float32 (...)"),
        ("torch.norm", (MATRIX, "nuc"), {}, "torch.float32 ()"),
        ("torch.linalg.norm", (X,), {}, "torch.float32 ()"),
        ("torch.linalg.norm", (X,), {"dim": -1}, "torch.float32 (b, t)"),
        ("torch.linalg.norm", (X, "fro", (0, 2)), {}, "torch.float32 (t,)"),
        ("torch.linalg.norm", (MATRIX, 2), {}, "torch.float32 ()"),
        ("torch.linalg.vector_norm", (X,), {"ord": 3, "dim": (1, 2), "keepdim": True}, "torch.float32 (b, 1, 1)"),
        ("aten.linalg_vector_norm.default", (X, 2, [1]), {}, "torch.float32 (b, d)"),
        ("torch.linalg.matrix_norm", (X,), {}, "torch.float32 (b,)"),
        ("torch.linalg.matrix_norm", (TensorSpec(("*batch", 3, 4), "float64"),), {}, "torch.float64 (*batch,)"),
        ("torch.dist", (X, TensorSpec(("d",), "float64")), {}, "torch.float64 ()"),
        ("torch.cdist", (X, TensorSpec(("b", "n", "d"), "float32")), {}, "torch.float32 (b, t, n)"),
        ("torch.cdist", (X, TensorSpec(("n", "d"), "float32")), {"p": 1.0}, "torch.float32 (b, t, n)"),
    ],
)
def test_what_they_give(name: str, args: Any, kwargs: Any, result: str) -> None:
    assert str(infer(name, *args, **kwargs)) == result


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        (
            "norm",
            (TensorSpec((3,), "int64"),),
            "norm: expected a floating-point or complex dtype, got torch.int64; call .float()",
        ),
        (
            "linalg.norm",
            (X, 2),
            "linalg.norm: expected a 1-D or 2-D input for ord without dim, got shape (b, t, d)",
        ),
        (
            "linalg.norm",
            (X, 2, (0, 1, 2)),
            "linalg.norm: expected dim to have 1 or 2 elements, got (0, 1, 2)",
        ),
        (
            "linalg.matrix_norm",
            (X, 3),
            'linalg.matrix_norm: expected ord to be "fro", "nuc", inf, -inf, 1, -1, 2 or -2, got 3',
        ),
        (
            "cdist",
            (X, TensorSpec(("b", "n", "e"))),
            "cdist: expected x1 and x2 to have the same last size, got shapes (b, t, d) and (b, n, e): d != e",
        ),
        ("cdist", (TensorSpec((3,)), X), "cdist: expected x1 to have at least 2 dimensions, got shape (3,)"),
    ],
)
def test_refusals(name: str, args: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert str(refused.value) == message


@given(b=st.integers(1, 3), n=st.integers(1, 3), m=st.integers(1, 3), d=st.integers(0, 3), keepdim=st.booleans())
@settings(max_examples=30, deadline=None)
def test_symbols_numbers_and_torch_agree(b: int, n: int, m: int, d: int, keepdim: bool) -> None:
    sizes = {"b": b, "n": n, "m": m, "d": d}
    agree("cdist", torch.cdist, lambda b, n, m, d: (T(b, n, d), T(m, d)), sizes)
    for dim in (None, -1, (0, 2)):
        options = {"dim": dim, "keepdim": keepdim}
        agree("norm", torch.norm, lambda b, n, m, d, options=options: (T(b, n, m), options), sizes)
        agree("linalg.norm", torch.linalg.norm, lambda b, n, m, d, options=options: (T(b, n, m), options), sizes)
