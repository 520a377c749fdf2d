"""repeat against repeat_interleave; rolls and flips."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.ops import infer
from shapecheck.spec import ShapeError, TensorSpec, axis
from tests.ops.laws import T, agree

H, D = axis("h"), axis("d")
X = TensorSpec(("b", "t", "d"), "float32", "contiguous")
OPEN = TensorSpec(("...", 128), "float32")
COUNTS = TensorSpec(("t",), "int64")


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        (("Tensor.repeat", X, 2, 1, H), "(2*b, t, h*d)"),
        (("Tensor.repeat", X, (3, 1, 1, 1)), "(3, b, t, d)"),
        (("Tensor.repeat", OPEN, 1, 1, 2), "(?, ?, 256)"),
        (("torch.tile", X, (2,)), "(b, t, 2*d)"),
        (("torch.tile", X, (2, 1, 1, 1)), "(2, b, t, d)"),
        (("torch.tile", OPEN, (2,)), "(..., 256)"),
        (("torch.repeat_interleave", X, H, 1), "(b, t*h, d)"),
        (("torch.repeat_interleave", X, 2), "(2*b*t*d,)"),
        (("torch.repeat_interleave", OPEN, 2, -1), "(..., 256)"),
        (("torch.repeat_interleave", X, COUNTS, 1), "(b, repeated, d)"),
        (("torch.repeat_interleave", COUNTS), "(repeated,)"),
        (("torch.roll", X, 1, -1), "(b, t, d)"),
        (("torch.flip", X, [0, 1]), "(b, t, d)"),
        (("Tensor.flip", X, 0, 1), "(b, t, d)"),
        (("torch.fliplr", X), "(b, t, d)"),
        (("torch.rot90", X), "(t, b, d)"),
        (("torch.rot90", X, 2, (1, 2)), "(b, t, d)"),
        (("torch.rot90", X, -1, (1, 2)), "(b, d, t)"),
    ],
)
def test_shapes(call: Any, shape: str) -> None:
    assert str(infer(*call).shape) == shape


def test_repeats_in_a_tensor_with_the_size_given() -> None:
    assert str(infer("torch.repeat_interleave", X, COUNTS, 1, output_size=D).shape) == "(b, d, d)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("Tensor.repeat", X, 2, 2), "expected at least 3 repeats, got (2, 2) (input of shape (b, t, d))"),
        (("Tensor.repeat", X, 2, 2, -1), "expected repeats to be non-negative, got (2, 2, -1)"),
        (
            ("torch.repeat_interleave", TensorSpec((3, 4)), TensorSpec((2,), "int64"), 0),
            "expected repeats to have 3 elements, the size of the input along dim, or 1, got 2",
        ),
        (
            ("torch.repeat_interleave", X, TensorSpec(("t",), "float32"), 1),
            "expected repeats to have dtype torch.int64 or torch.int32, got torch.float32",
        ),
        (("torch.repeat_interleave", X, -1), "expected repeats to be non-negative, got -1"),
        (("torch.roll", X, (1, 2), 0), "expected shifts and dims to have the same number of elements, got 2 and 1"),
        (("torch.flip", X, (0, -3)), "dim 0 appears twice"),
        (("torch.flip", X, (3,)), "dim out of range: expected -3 to 2, got 3"),
        (("torch.fliplr", TensorSpec((3,))), "expected at least 2 dimensions, got shape (3,)"),
        (("torch.rot90", X, 1, (0, 0)), "expected two different dimensions, got dims=(0, 0)"),
        (("torch.rot90", TensorSpec((3,))), "expected at least 2 dimensions, got shape (3,)"),
    ],
)
def test_refusals(call: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(*call)
    assert message in str(refused.value)


numbers = st.fixed_dictionaries({"n": st.integers(1, 4), "m": st.integers(1, 4), "k": st.integers(0, 3)})


@settings(deadline=None, max_examples=20)
@given(numbers, st.integers(-2, 2), st.integers(-4, 4))
def test_repeats_agree_with_torch(sizes: dict[str, int], dim: int, turns: int) -> None:
    agree("repeat", torch.Tensor.repeat, lambda n, m, k: (T(n, m), (k, 1, m)), {**sizes, "k": sizes["k"] + 1})
    agree("tile", torch.tile, lambda n, m, k: (T(n, m), (2,)), sizes)
    agree("repeat_interleave", torch.repeat_interleave, lambda n, m, k: (T(n, m), 3, dim), sizes)
    agree("roll", torch.roll, lambda n, m, k: (T(n, m), 1, dim), sizes)
    agree("flip", torch.flip, lambda n, m, k: (T(n, m), (dim,)), sizes)
    agree("rot90", torch.rot90, lambda n, m, k: (T(n, m, 2), turns, (dim, 1)), sizes)
