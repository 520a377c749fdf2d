"""split, chunk, tensor_split, unbind: how many parts, of which sizes, with which strides."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.ops import Unknown, assuming, infer
from shapecheck.spec import ShapeError, TensorSpec, axis
from tests.ops.laws import T, agree

D, H = axis("d"), axis("h")
QKV = TensorSpec(("b", "t", 3 * D), "float32", "contiguous")


@pytest.mark.parametrize(
    ("name", "args", "shapes"),
    [
        ("torch.split", (QKV, D, -1), ["(b, t, d)"] * 3),
        ("torch.split", (QKV, [D, 2 * D], 2), ["(b, t, d)", "(b, t, 2*d)"]),
        ("torch.split", (TensorSpec((7, 2)), 3), ["(3, 2)", "(3, 2)", "(1, 2)"]),
        ("torch.split", (TensorSpec(("...", 128)), 64, -1), ["(..., 64)"] * 2),
        ("torch.split", (TensorSpec((0, 2)), 3), ["(0, 2)"]),
        ("torch.chunk", (QKV, 3, -1), ["(b, t, d)"] * 3),
        ("torch.chunk", (TensorSpec((7,)), 3), ["(3,)", "(3,)", "(1,)"]),
        ("torch.chunk", (TensorSpec((5,)), 4), ["(2,)", "(2,)", "(1,)"]),  # three, not four
        ("torch.chunk", (TensorSpec(("d",)), 2), ["((d+1)//2,)", "(d//2,)"]),
        ("torch.chunk", (TensorSpec((2 * H * D,)), 2), ["(h*d,)"] * 2),
        ("torch.chunk", (TensorSpec((0,)), 3), ["(0,)"] * 3),
        ("torch.tensor_split", (TensorSpec((7,)), 3), ["(3,)", "(2,)", "(2,)"]),
        ("torch.tensor_split", (TensorSpec(("d",)), 2), ["((d+1)//2,)", "(d//2,)"]),
        ("torch.tensor_split", (TensorSpec(("d",)), (1, -1)), ["(1,)", "(max(d-2, 0),)", "(1,)"]),
        ("torch.hsplit", (TensorSpec(("b", 4)), 2), ["(b, 2)"] * 2),
        ("torch.vsplit", (TensorSpec((3 * D, 4)), 3), ["(d, 4)"] * 3),
        ("torch.dsplit", (TensorSpec((2, 3, 4)), (1,)), ["(2, 3, 1)", "(2, 3, 3)"]),
        ("torch.unbind", (TensorSpec(("b", 2, "d")), 1), ["(b, d)"] * 2),
        ("torch.unbind", (TensorSpec(("...", 2)), -1), ["(...)"] * 2),
    ],
)
def test_the_parts(name: str, args: Any, shapes: list[str]) -> None:
    assert [str(part.shape) for part in infer(name, *args)] == shapes


def test_parts_are_views_and_keep_the_strides() -> None:
    q, _, _ = infer("Tensor.split", QKV, split_size=D, dim=-1)
    assert [str(stride) for stride in q.strides] == ["3*t*d", "3*d", "1"]
    assert q.layout == "non-contiguous"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("torch.split", (TensorSpec(("t",)), 2)),
        ("torch.unbind", (TensorSpec(("t", 2)),)),
        ("torch.tensor_split", (TensorSpec((4,)), TensorSpec((), "int64"))),
    ],
)
def test_an_unknown_number_of_parts_is_unknown(name: str, args: Any) -> None:
    assert isinstance(infer(name, *args), Unknown)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("torch.split", (TensorSpec((5,)), [2, 2]), "split sizes 2+2 sum to 4, expected 5 (dimension 0 of (5,))"),
        ("torch.split", (QKV, [D, D], -1), "split sizes d+d sum to 2*d, expected 3*d (dimension 2 of (b, t, 3*d))"),
        ("torch.split", (TensorSpec((5,)), 0), "split_size 0 requires dimension 0 of (5,) to be 0, got 5"),
        ("torch.split", (TensorSpec((5,)), -1), "expected split_size to be non-negative, got -1"),
        ("torch.split", (TensorSpec(()), 1), "split() cannot be used with a 0-D input"),
        ("torch.split", (QKV, Unknown("a size"), 3), "dim out of range: expected -3 to 2, got 3"),
        ("Tensor.split", (QKV, Unknown("a size"), -4), "dim out of range: expected -3 to 2, got -4"),
        ("torch.chunk", (TensorSpec((5,)), 0), "expected chunks to be positive, got 0"),
        (
            "torch.hsplit",
            (TensorSpec((5, 3)), 2),
            "expected dimension 1 of (5, 3) to be divisible by sections, got 3 and 2",
        ),
        ("torch.vsplit", (TensorSpec((5,)), 1), "expected at least 2 dimensions, got shape (5,)"),
        ("torch.unbind", (TensorSpec(()),), "dim 0 is out of range for a 0-D input"),
        ("torch.tensor_split", (TensorSpec((5,)), 0), "expected sections to be positive, got 0"),
    ],
)
def test_refusals(name: str, args: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert message in str(refused.value)


def test_sizes_that_need_not_add_up_are_noted() -> None:
    with assuming() as assumptions:
        infer("torch.split", TensorSpec(("d",)), [axis("h"), axis("w")])
    assert len(assumptions) == 1


def test_parts_of_a_size_that_divides_the_whole_are_as_large() -> None:
    n = axis("n")
    parts = infer("torch.split", TensorSpec(("b", 3 * n)), n, 1)
    assert [str(one.shape) for one in parts] == ["(b, n)"] * 3


numbers = st.fixed_dictionaries({"b": st.integers(1, 3), "n": st.integers(1, 9)})


@settings(deadline=None, max_examples=20)
@given(numbers, st.integers(1, 4))
def test_splits_agree_with_torch(sizes: dict[str, int], parts: int) -> None:
    agree("split", torch.split, lambda b, n: (T(b, 3 * n), n, 1), sizes)
    agree("split", torch.split, lambda b, n: (T(b, 3 * n), [n, 2 * n], 1), sizes)
    agree("chunk", torch.chunk, lambda b, n: (T(b, parts * n), parts, 1), sizes)
    agree("tensor_split", torch.tensor_split, lambda b, n: (T(n, b), parts), sizes)
    agree("tensor_split", torch.tensor_split, lambda b, n: (T(n, b), (1, -parts, parts)), sizes)
    agree("hsplit", torch.hsplit, lambda b, n: (T(b, parts * n), parts), sizes)
    agree("unbind", torch.unbind, lambda b, n: (T(b, parts, n), 1), sizes)
    if sizes["n"] > 1:  # of 1 there is but one part
        agree("chunk", torch.chunk, lambda b, n: (T(b, n), 2, 1), sizes)
