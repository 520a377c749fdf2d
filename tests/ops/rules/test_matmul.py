"""Products of vectors, matrices and stacks of matrices."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from tests.ops.laws import T, agree

SIZE = st.integers(1, 4)
FEW = settings(max_examples=15, deadline=None)


def spec(*axes: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(axes, dtype)


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        ((3,), (3,), ()),
        ((2, 3), (3,), (2,)),
        ((3,), (3, 4), (4,)),
        ((2, 3), (3, 4), (2, 4)),
        ((8, 2, 3), (3, 4), (8, 2, 4)),
        ((8, 2, 3), (3,), (8, 2)),
        ((3,), (8, 3, 4), (8, 4)),
        ((8, 1, 2, 3), (5, 3, 4), (8, 5, 2, 4)),
        (("b", "h", "t", "d"), ("b", "h", "d", "s"), ("b", "h", "t", "s")),
        (("b", "t", "d"), ("d", "k"), ("b", "t", "k")),
        ((..., "t", "d"), ("d", "k"), (..., "t", "k")),
        ((...,), ("d", "k"), (..., "k")),
        ((..., "t", "d"), (..., "d", "k"), (..., "t", "k")),
        ((..., "t", "d"), ("d",), (..., "t")),
        (("d",), (..., "d", "k"), (..., "k")),
        ((...,), (8, 3, 4), (..., 4)),
        ((...,), (...,), (...,)),
    ],
)
def test_matmul(left: Any, right: Any, result: Any) -> None:
    assert str(infer("@", spec(*left), spec(*right)).shape) == str(spec(*result).shape)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        (
            "matmul",
            (spec(3, 4), spec(5, 6)),
            "matmul: cannot multiply (3, 4) @ (5, 6): 4 != 5",
        ),
        ("matmul", (spec(..., 4), spec(5, 6)), "cannot multiply (..., 4) @ (5, 6): 4 != 5"),
        ("matmul", (spec(), spec(5, 6)), "expected operands of at least 1 dimension, got shapes () and (5, 6)"),
        ("matmul", (spec(2, 3, 4), spec(3, 4, 5)), "batch dimensions of the operands: cannot broadcast (2,) and (3,)"),
        (
            "matmul",
            (spec(3, 4), spec(4, 5, dtype="float16")),
            "to have the same dtype, got torch.float32 and torch.float16",
        ),
        ("mm", (spec(1, 3, 4), spec(4, 5)), "expected a 2-D input, got shape (1, 3, 4)"),
        (
            "bmm",
            (spec(1, 3, 4), spec(2, 4, 5)),
            "expected the input and mat2 to have the same batch size, got shapes (1, 3, 4) and (2, 4, 5)",
        ),
        ("mv", (spec(3, 4), spec(5)), "cannot multiply (3, 4) @ (5,): 4 != 5"),
        ("dot", (spec(3), spec(4)), "expected input and tensor to have the same size, got shapes (3,) and (4,)"),
        ("inner", (spec(2, 3), spec(5, 4)), "cannot multiply (2, 3) and (5, 4): 3 != 4 in the last dimension"),
        ("outer", (spec(2, 3), spec(4)), "expected a 1-D input, got shape (2, 3)"),
        ("addmm", (spec(7), spec(2, 3), spec(3, 4)), "cannot expand the input of shape (7,) to (2, 4)"),
        (
            "baddbmm",
            (spec(2, 1, 2, 4), spec(2, 2, 3), spec(2, 3, 4)),
            "cannot expand the input of shape (2, 1, 2, 4) to (2, 2, 4)",
        ),
        (
            "tensordot",
            (spec(2, 3, 4), spec(4, 3)),
            "cannot contract dimension 1 of (2, 3, 4) with dimension 0 of (4, 3): 3 != 4",
        ),
        ("linalg.multi_dot", ([spec(2, 3)],), "expected at least 2 tensors, got 1"),
        ("linalg.cross", (spec(4, 2), spec(4, 2)), "expected dimension -1 of the input to be 3, got 2 (shape (4, 2))"),
        ("cross", (spec(5, 4), spec(5, 4)), "expected a dimension of size 3, got shape (5, 4)"),
        (
            "linalg.vecdot",
            (spec(3, dtype="int64"), spec(3, dtype="int64")),
            "expected a floating-point or complex dtype, got torch.int64",
        ),
        ("matrix_power", (spec(2, 3), 2), "to be square, got shape (2, 3): 2 != 3"),
        ("trace", (spec(2, 3, 4),), "expected a 2-D input, got shape (2, 3, 4)"),
        ("cov", (spec(2, 3, 4),), "expected at most 2 dimensions, got shape (2, 3, 4)"),
        (
            "Tensor.addmm_",
            (spec(4), spec(2, 3), spec(3, 4)),
            "the result is (2, 4), but the tensor changed in place is (4,)",
        ),
    ],
)
def test_what_torch_refuses(name: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *arguments)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("mm", (spec(..., 3), spec(3, 4)), ("?", 4)),
        ("bmm", (spec("b", "t", "d"), spec("b", "d", "s")), ("b", "t", "s")),
        ("addmm", (spec(4), spec("n", 3), spec(3, 4)), ("n", 4)),
        ("addbmm", (spec(2, 4), spec("b", 2, 3), spec("b", 3, 4)), (2, 4)),
        ("chain_matmul", (spec(2, 3), spec(3, 4), spec(4, 5)), (2, 5)),
        ("kron", (spec("a", 2), spec(3, "b")), ("3*a", "2*b")),
        ("tensordot", (spec("a", 3, 4), spec(4, 3, "b"), ([1, 2], [1, 0])), ("a", "b")),
        ("linalg.vecdot", (spec("b", "t", "d"), spec("b", 1, "d")), ("b", "t")),
        ("torch._scaled_mm", (spec("n", 16), spec(16, 32)), ("n", 32)),
        ("Tensor.baddbmm_", (spec(2, 3, 4), spec(2, 3, 5), spec(2, 5, 4)), (2, 3, 4)),
    ],
)
def test_other_products(name: str, arguments: tuple[Any, ...], result: tuple[Any, ...]) -> None:
    shape = infer(name, *arguments).shape
    assert str(shape) == f"({', '.join(map(str, result))})"


def test_an_empty_product_of_bools_is_never_computed() -> None:
    nothing = infer("mm", spec(0, 4, dtype="bool"), spec(4, 3, dtype="bool"))
    assert str(nothing) == "torch.bool (0, 3)"


def test_the_covariance_of_one_variable_is_a_scalar() -> None:
    assert infer("cov", spec(1, 5)).shape == ()
    assert infer("cov", spec(2, 5)).shape == (2, 2)
    assert infer("cov", spec("n", 5)).rank is None


@given(a=SIZE, b=SIZE, n=SIZE, k=SIZE, m=SIZE)
@FEW
def test_matmul_agrees_with_torch(a: int, b: int, n: int, k: int, m: int) -> None:
    sizes = {"a": a, "b": b, "n": n, "k": k, "m": m}
    agree("matmul", torch.matmul, lambda a, b, n, k, m: (T(a, 1, n, k), T(b, k, m)), sizes)
    agree("matmul", torch.matmul, lambda a, b, n, k, m: (T(a, n, k), T(b, k, m)), sizes)
    agree("matmul", torch.matmul, lambda a, b, n, k, m: (T(k), T(b, m, n)), sizes)


@given(b=SIZE, n=SIZE, k=SIZE, m=SIZE, x=SIZE)
@FEW
def test_sums_of_products_agree_with_torch(b: int, n: int, k: int, m: int, x: int) -> None:
    sizes = {"b": b, "n": n, "k": k, "m": m, "x": x}
    agree("addmm", torch.addmm, lambda b, n, k, m, x: (T(x, m), T(n, k), T(k, m)), sizes)
    agree("baddbmm", torch.baddbmm, lambda b, n, k, m, x: (T(b, 1, x), T(b, n, k), T(b, k, m)), sizes)
    agree("addmv", torch.addmv, lambda b, n, k, m, x: (T(x), T(n, k), T(k)), sizes)
    agree("addr", torch.addr, lambda b, n, k, m, x: (T(x), T(n), T(m, dtype="int64")), sizes)
    agree("tensordot", torch.tensordot, lambda b, n, k, m, x: (T(b, n, k), T(n, x, m)), sizes)
    agree("kron", torch.kron, lambda b, n, k, m, x: (T(b, n), T(k)), sizes)


@pytest.mark.parametrize("name", ["mm", "matmul"])
def test_a_matrix_on_the_right_may_be_sparse(name: str) -> None:
    """Then the result is not contiguous."""
    product = getattr(torch, name)(torch.ones(4, 6), torch.eye(6).to_sparse())
    assert not product.is_contiguous()
    left, right = spec(4, 6).with_layout("contiguous"), spec(6, 6)
    assert infer(name, left, right.with_layout("unknown")).layout == "unknown"
    assert infer(name, left, right.with_layout("contiguous")).layout == "contiguous"
    assert infer(name, right.with_layout("unknown"), right.with_layout("contiguous")).layout == "contiguous"
