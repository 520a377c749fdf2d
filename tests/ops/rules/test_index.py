"""gather, scatter and the index_* operators: which shapes and dtypes go together."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.ops import Unknown, assuming, infer
from shapecheck.spec import DTypeError, ShapeError, TensorSpec
from tests.ops.laws import T, agree

X = TensorSpec(("b", "t", "d"), "float32", "contiguous")
OPEN = TensorSpec(("...", 128), "float32")


def i(*sizes: Any, dtype: str = "int64") -> TensorSpec:
    return TensorSpec(sizes, dtype, "contiguous")


@pytest.mark.parametrize(
    ("call", "result"),
    [
        (("torch.gather", X, 1, i("b", 5, "d")), "torch.float32 (b, 5, d)"),
        (("torch.gather", OPEN, -1, i("...", 5)), "torch.float32 (..., 5)"),
        (("torch.gather", X, 1, i(0, dtype="float32")), "torch.float32 (0,)"),  # nothing is checked of an empty index
        (("Tensor.scatter_", X, 1, i("b", 1, "d"), 1.0), "torch.float32 (b, t, d)"),
        (("Tensor.scatter_add_", X, 1, i("b", "t", "d"), X), "torch.float32 (b, t, d)"),
        (("Tensor.scatter_reduce", X, 1, i("b", "t", "d"), X, "amax"), "torch.float32 (b, t, d)"),
        (("torch.index_select", X, 1, i("k")), "torch.float32 (b, k, d)"),
        (("torch.index_select", X, 1, i()), "torch.float32 (b, 1, d)"),
        (("torch.index_select", OPEN, -1, i("k", dtype="int32")), "torch.float32 (..., k)"),
        (("Tensor.index_add_", X, 0, i("k"), TensorSpec(("k", "t", "d"), "float32")), "torch.float32 (b, t, d)"),
        (("Tensor.index_copy_", X, 2, i("k"), TensorSpec(("b", "t", "k"), "float32")), "torch.float32 (b, t, d)"),
        (("Tensor.index_fill", X, 0, i("k"), 1), "torch.float32 (b, t, d)"),
        (("torch.index_reduce", X, 0, i("b"), X, "mean"), "torch.float32 (b, t, d)"),
        (("torch.take", X, i(3, 4)), "torch.float32 (3, 4)"),
        (("Tensor.put_", X, i(3, 4), TensorSpec((12,), "float32")), "torch.float32 (b, t, d)"),
        (("torch.take_along_dim", X, i("b", 1, 5), 2), "torch.float32 (b, t, 5)"),
        (("torch.take_along_dim", X, i(3, 4)), "torch.float32 (12,)"),
        (("torch.masked_select", X, i("t", 1, dtype="bool")), "torch.float32 (selected,)"),
        (("torch.masked_scatter", X, i("b", "t", 1, dtype="bool"), X), "torch.float32 (b, t, d)"),
        (("torch.nonzero_static", X, {"size": 7}), "torch.int64 (7, 3)"),
        (("torch.segment_reduce", X, "max", {"lengths": i("k")}), "torch.float32 (k, t, d)"),
        (("torch.segment_reduce", X, "max", {"offsets": i("k")}), "torch.float32 (k-1, t, d)"),
    ],
)
def test_results(call: Any, result: str) -> None:
    *args, last = call
    answer = infer(*args, **last) if isinstance(last, dict) else infer(*call)
    assert str(answer) == result


def test_unravel_index_gives_a_tensor_for_each_axis() -> None:
    assert [str(one) for one in infer("torch.unravel_index", i("n"), (3, 4))] == ["torch.int64 (n,)"] * 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            ("torch.gather", TensorSpec((3, 4)), 0, i(2, 5)),
            "gather: axis 1 of the index is 5, but the input (3, 4) has size 4 there; apart from dim 0",
        ),
        (("torch.gather", X, 1, i("b", 5)), "the index (b, 5) has 2 dimensions and the input (b, t, d) has 3"),
        (("torch.gather", X, 3, i("b", 5, "d")), "dim 3 is out of range"),
        (
            ("torch.gather", X, 1, i("b", 5, "d", dtype="int16")),
            "the index is torch.int16; torch.int64 or torch.int32 is due",
        ),
        (
            ("torch.scatter", TensorSpec((3,), "float32"), 0, i(3), TensorSpec((2,), "float32")),
            "the source (2,) has size 2",
        ),
        (("torch.scatter", X, 0, i(1, 1, 1), X.with_dtype(None), {"reduce": "sum"}), "'add' or 'multiply' is due"),
        (("torch.scatter_reduce", X, 0, i(1, 1, 1), X, "max"), "reduce is 'max'"),
        (("torch.index_select", X, 0, i(2, 2)), "the index is (2, 2), a vector"),
        (
            ("torch.index_add", X, 0, i("k"), TensorSpec(("t", "t", "d"), "float32")),
            "axis 0 of the source is of size t, it must be equal to the number of indices (k)",
        ),
        (("torch.index_add", X, 0, i("b"), TensorSpec(("t", "d"), "float32")), "the source is (t, d)"),
        (("torch.index_copy", X, 0, i("b", dtype="int32"), X), "the index is torch.int32; torch.int64 is due"),
        (("torch.index_fill", X, 0, i("b"), TensorSpec((2,))), "a 0-dimensional tensor or a number is due"),
        (("Tensor.put", X, i(3), TensorSpec((4,), "float32")), "the source has 4 elements and the index 3"),
        (("torch.take_along_dim", X, i(3, 4), 0), "the indices (3, 4) have 2; both must have the same number"),
        (("torch.masked_select", X, i("b", "t", "d")), "the mask is torch.int64; torch.bool is due"),
        (("torch.masked_select", X, i("b", "t", dtype="bool")), "do not broadcast"),
        (("torch.index_select", X, 0, [0, 1]), "index must be a tensor"),
    ],
)
def test_refusals(call: Any, message: str) -> None:
    *args, last = call
    with pytest.raises(ShapeError) as refused:
        infer(*args, **last) if isinstance(last, dict) else infer(*call)
    assert message in str(refused.value)


@pytest.mark.parametrize("name", ["scatter", "scatter_add"])
def test_the_source_has_the_inputs_dtype(name: str) -> None:
    with pytest.raises(DTypeError, match=r"the input is torch.float32 and the source is torch.float64"):
        infer(name, X, 0, i(1, 1, 1), X.with_dtype(infer("torch.take", TensorSpec((1,), "float64"), i(1)).dtype))


def test_what_is_open_is_assumed() -> None:
    with assuming() as assumptions:
        infer("torch.index_add", X, 0, i("b"), TensorSpec((4, "t", "d"), "float32"))
    assert [(str(one.left), str(one.right)) for one in assumptions] == [("4", "b")]


def test_take_along_dim_without_dim_needs_a_flat_view() -> None:
    turned = TensorSpec((3, 4), "int64", "non-contiguous", strides=(1, 3))
    with pytest.raises(ShapeError, match="have no flat view"):
        infer("torch.take_along_dim", X, turned)


def test_an_unknown_axis_of_a_shape_with_a_run_is_not_guessed() -> None:
    assert isinstance(infer("torch.index_select", OPEN, Unknown("?"), i(2)), Unknown)


numbers = st.fixed_dictionaries({name: st.integers(1, 4) for name in "abk"})


@settings(deadline=None, max_examples=20)
@given(numbers)
def test_indexing_agrees_with_torch(sizes: dict[str, int]) -> None:
    agree("gather", torch.gather, lambda a, b, k: (T(a, b), 1, T(a, k, dtype="int64")), sizes)
    agree("gather", torch.gather, lambda a, b, k: (T(a, b), 0, T(k, k, dtype="int64")), sizes)
    agree("scatter", torch.scatter, lambda a, b, k: (T(a, b), 1, T(a, k, dtype="int64"), T(a, b)), sizes)
    agree("scatter_add", torch.scatter_add, lambda a, b, k: (T(a, b), 0, T(k, k, dtype="int64"), T(k, b)), sizes)
    agree("index_select", torch.index_select, lambda a, b, k: (T(a, b), 1, T(k, dtype="int64")), sizes)
    agree("index_add", torch.index_add, lambda a, b, k: (T(a, b), 0, T(k, dtype="int64"), T(k, b)), sizes)
    agree("index_copy", torch.index_copy, lambda a, b, k: (T(a, b), 1, T(k, dtype="int64"), T(a, b)), sizes)
    agree("take_along_dim", torch.take_along_dim, lambda a, b, k: (T(a, b), T(a, k, dtype="int64"), 1), sizes)
    agree("take_along_dim", torch.take_along_dim, lambda a, b, k: (T(a, b), T(k, b, dtype="int64"), 1), sizes)
    agree("put", torch.Tensor.put, lambda a, b, k: (T(a, b), T(k, dtype="int64"), T(b)), sizes)
