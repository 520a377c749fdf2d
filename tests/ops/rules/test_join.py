"""cat against stack, and what else joins tensors."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.ops import Unknown, assuming, infer
from shapecheck.spec import ShapeError, TensorSpec, unknown
from tests.ops.laws import T, agree


def x(*sizes: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(sizes, dtype, "contiguous")


@pytest.mark.parametrize(
    ("tensors", "dim", "result"),
    [
        ([x("b", "t", "d"), x("b", "t", "d")], -1, "torch.float32 (b, t, 2*d)"),
        ([x("b", "t", "d"), x("b", 1, "d")], 1, "torch.float32 (b, t+1, d)"),
        ([x("b", "t", "d"), x("b", "t", "h")], 2, "torch.float32 (b, t, h+d)"),
        ([x("b", 3), x("b", 3, dtype="int64")], 0, "torch.float32 (2*b, 3)"),
        ([x("b", 3, dtype=None), x("b", 3)], 0, "(2*b, 3)"),
        ([x(0), x("b", "t", "d")], 1, "torch.float32 (b, t, d)"),  # an empty vector is skipped
        ([x("...", 128), x("...", 64)], -1, "torch.float32 (..., 192)"),
        ([x("...", 128), x("b", "t", 64)], 2, "torch.float32 (b, t, 192)"),
        ([x("..."), x("...")], 1, "torch.float32 (?, ?, ...)"),
        ([x("b", "t"), Unknown("?")], 0, "(?, t)"),
        ([x("b", "t"), x(4, "t")], 1, "torch.float32 (4, 2*t)"),
    ],
)
def test_cat_adds_up_one_axis(tensors: Any, dim: int, result: str) -> None:
    assert str(infer("torch.cat", tensors, dim)) == result


@pytest.mark.parametrize(
    ("tensors", "dim", "message"),
    [
        (
            [x("b", "t", "d"), x("b", "t", "h")],
            1,
            "cat: sizes must match except in dimension 1: dimension 2 is d in input 0 and h in input 1",
        ),
        (
            [x(2, 3), x(2, 3, 4)],
            0,
            "expected inputs of the same rank, got shape (2, 3) in input 0 and (2, 3, 4) in input 1",
        ),
        ([x(), x()], 0, "cannot concatenate a 0-D tensor (input 0); use stack"),
        ([], 0, "expected at least one tensor, got an empty list"),
        ([x(2), x(2)], 1, "dim out of range for each input: expected -1 to 0, got 1"),
        (x(2), 0, "expected a tuple or list of tensors, got a tensor of shape (2,)"),
        ([x(2), 3], 0, "expected input 1 to be a tensor, got 3"),
    ],
)
def test_cat_names_the_axis_that_differs(tensors: Any, dim: int, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer("torch.cat", tensors, dim)
    assert message in str(refused.value)


def test_cat_stays_silent_where_a_vector_may_be_empty() -> None:
    assert isinstance(infer("torch.cat", [x(2, 3), x(unknown("n", low=0))]), Unknown)


def test_cat_notes_what_must_be_equal() -> None:
    with assuming() as assumptions:
        infer("torch.cat", [x("b", 7), x("b", "d")], 0)
    assert [(str(one.left), str(one.right)) for one in assumptions] == [("d", "7")]


@pytest.mark.parametrize(
    ("tensors", "dim", "result"),
    [
        ([x("b", "t"), x("b", "t")], 0, "torch.float32 (2, b, t)"),
        ([x("b", "t"), x("b", "t")], -1, "torch.float32 (b, t, 2)"),
        ([x("b", "t"), x("b", 3)], 1, "torch.float32 (b, 2, 3)"),
        ([x("...", 128), x("...", 128)], -1, "torch.float32 (..., 128, 2)"),
        ([x("..."), x("b", "t")], 0, "torch.float32 (2, b, t)"),
    ],
)
def test_stack_makes_a_new_axis(tensors: Any, dim: int, result: str) -> None:
    assert str(infer("torch.stack", tensors, dim)) == result


def test_stack_needs_one_shape() -> None:
    with pytest.raises(ShapeError, match="sizes must match: dimension 1 is t in input 0 and d in input 1"):
        infer("torch.stack", [x("b", "t"), x("b", "d")])


@pytest.mark.parametrize(
    ("name", "tensors", "shape"),
    [
        ("hstack", [x("n"), x("m")], "(n+m,)"),
        ("hstack", [x("n", "k"), x("n", "m")], "(n, k+m)"),
        ("vstack", [x("d"), x("n", "d")], "(n+1, d)"),
        ("vstack", [x("n", "..."), x("...", "n")], "(?, ..., ?)"),
        ("dstack", [x("n", "m"), x("n", "m", 2)], "(n, m, 3)"),
        ("column_stack", [x("n"), x("n", "k")], "(n, k+1)"),
    ],
)
def test_stacks_raise_the_rank_first(name: str, tensors: Any, shape: str) -> None:
    assert str(infer(f"torch.{name}", tensors).shape) == shape


@pytest.mark.parametrize(
    ("name", "args", "shape"),
    [
        ("block_diag", (x("n", "m"), x(3), x()), "(n+2, m+4)"),
        ("cartesian_prod", (x("n"), x("m")), "(n*m, 2)"),
        ("combinations", (x("n"),), "((n**2-n)//2, 2)"),
        ("combinations", (x(5), 3), "(10, 3)"),
        ("combinations", (x(5), 3, True), "(35, 3)"),
        ("_chunk_cat", ([x("b", "t", 3), x("b", 5)], 1, 2), "(b, 2, 3*((t+1)//2)+3)"),
    ],
)
def test_further_joins(name: str, args: Any, shape: str) -> None:
    assert str(infer(name, *args).shape) == shape


@pytest.mark.parametrize(("indexing", "shape"), [("ij", "(h, w)"), ("xy", "(w, h)")])
def test_meshgrid_gives_one_grid_for_each_vector(indexing: str, shape: str) -> None:
    grids = infer("torch.meshgrid", x("h"), x("w"), indexing=indexing)
    assert [str(grid.shape) for grid in grids] == [shape] * 2


sizes = st.fixed_dictionaries({"b": st.integers(1, 4), "n": st.integers(1, 4), "m": st.integers(1, 4)})


@settings(deadline=None, max_examples=20)
@given(sizes, st.integers(-2, 2))
def test_joins_agree_with_torch(numbers: dict[str, int], dim: int) -> None:
    agree("cat", torch.cat, lambda b, n, m: ([T(b, n), T(b, m)], dim), numbers)
    agree("stack", torch.stack, lambda b, n, m: ([T(b, n), T(b, n)], dim), numbers)
    agree("hstack", torch.hstack, lambda b, n, m: ([T(b, n), T(b, m)],), numbers)
    agree("vstack", torch.vstack, lambda b, n, m: ([T(b, n), T(n)],), numbers)
    agree("column_stack", torch.column_stack, lambda b, n, m: ([T(b, n), T(b)],), numbers)
    agree("block_diag", torch.block_diag, lambda b, n, m: (T(b, n), T(m)), numbers)
    agree("cartesian_prod", torch.cartesian_prod, lambda b, n, m: (T(b), T(n), T(m)), numbers)
    agree("combinations", torch.combinations, lambda b, n, m: (T(b), 3, True), numbers)
    agree("meshgrid", torch.meshgrid, lambda b, n, m: (T(b), T(n), T(m), {"indexing": "xy"}), numbers)
    agree("_chunk_cat", torch._chunk_cat, lambda b, n, m: ([T(b, n, 2), T(b, m)], 1, 2), numbers)
