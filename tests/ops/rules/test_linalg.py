"""Functions of matrices, decompositions and systems of equations."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import ShapeError, TensorSpec, infer
from shapecheck.spec import minimum


def spec(*axes: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(axes, dtype)


SQUARE = spec("b", "n", "n")
WIDE = spec("b", 3, 5)


@pytest.mark.parametrize(
    ("name", "arguments", "results"),
    [
        ("torch.det", (SQUARE,), ["torch.float32 (b,)"]),
        ("torch.linalg.slogdet", (spec("n", "n", dtype="complex64"),), ["torch.complex64 ()", "torch.float32 ()"]),
        ("torch.inverse", (spec(..., "n", "n"),), ["torch.float32 (..., n, n)"]),
        ("torch.linalg.inv_ex", (SQUARE,), ["torch.float32 (b, n, n)", "torch.int32 (b,)"]),
        ("torch.linalg.pinv", (WIDE,), ["torch.float32 (b, 5, 3)"]),
        ("torch.linalg.matrix_rank", (WIDE,), ["torch.int64 (b,)"]),
        ("torch.linalg.cond", (spec(3, 5, dtype="complex64"),), ["torch.float32 ()"]),
        ("torch.linalg.qr", (WIDE,), ["torch.float32 (b, 3, 3)", "torch.float32 (b, 3, 5)"]),
        ("torch.linalg.qr", (spec(5, 3), "complete"), ["torch.float32 (5, 5)", "torch.float32 (5, 3)"]),
        ("torch.linalg.svd", (spec(5, 3),), ["torch.float32 (5, 5)", "torch.float32 (3,)", "torch.float32 (3, 3)"]),
        (
            "torch.linalg.svd",
            (spec(5, 3), False),
            ["torch.float32 (5, 3)", "torch.float32 (3,)", "torch.float32 (3, 3)"],
        ),
        ("torch.svd", (spec(3, 5),), ["torch.float32 (3, 3)", "torch.float32 (3,)", "torch.float32 (5, 3)"]),
        ("torch.linalg.svdvals", (spec("b", 5, 3),), ["torch.float32 (b, 3)"]),
        ("torch.linalg.eig", (SQUARE,), ["torch.complex64 (b, n)", "torch.complex64 (b, n, n)"]),
        ("torch.linalg.eigh", (spec(3, 3, dtype="complex128"),), ["torch.float64 (3,)", "torch.complex128 (3, 3)"]),
        ("torch.linalg.lu_factor", (WIDE,), ["torch.float32 (b, 3, 5)", "torch.int32 (b, 3)"]),
        ("torch.linalg.lu", (WIDE,), ["torch.float32 (b, 3, 3)", "torch.float32 (b, 3, 3)", "torch.float32 (b, 3, 5)"]),
        ("torch.linalg.cholesky", (SQUARE,), ["torch.float32 (b, n, n)"]),
        ("torch.linalg.solve", (SQUARE, spec("b", "n", "k")), ["torch.float32 (b, n, k)"]),
        ("torch.linalg.solve", (SQUARE, spec("b", "n")), ["torch.float32 (b, n)"]),
        ("torch.linalg.solve", (SQUARE, spec("n")), ["torch.float32 (b, n)"]),
        ("torch.linalg.solve", (spec(2, 3, 3), spec(4, 1, 3, 5)), ["torch.float32 (4, 2, 3, 5)"]),
        ("torch.cholesky_solve", (spec("n", "k"), SQUARE), ["torch.float32 (b, n, k)"]),
        ("torch.linalg.tensorinv", (spec(2, 3, 6),), ["torch.float32 (6, 2, 3)"]),
        ("torch.linalg.tensorsolve", (spec(2, 3, 6), spec(2, 3)), ["torch.float32 (6,)"]),
        ("torch.linalg.vander", (spec("b", 3),), ["torch.float32 (b, 3, 3)"]),
        ("torch.geqrf", (spec(4, 3),), ["torch.float32 (4, 3)", "torch.float32 (3,)"]),
        ("torch.svd_lowrank", (spec(8, 9),), ["torch.float32 (8, 6)", "torch.float32 (6,)", "torch.float32 (9, 6)"]),
    ],
)
def test_results(name: str, arguments: tuple[Any, ...], results: list[str]) -> None:
    found = infer(name, *arguments)
    assert [str(one) for one in (found if isinstance(found, tuple) else (found,))] == results


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("linalg.inv", (spec(2, 3),), "to be square, got shape (2, 3): 2 != 3"),
        ("linalg.det", (spec(3),), "to have at least 2 dimensions, got shape (3,)"),
        ("linalg.cholesky", (spec(3, 3, dtype="int64"),), "to have a floating-point or complex dtype, got torch.int64"),
        (
            "linalg.svd",
            (spec(3, 3, dtype="bfloat16"),),
            "of dtype torch.bfloat16 is not supported; cast it to torch.float32",
        ),
        ("linalg.qr", (spec(3, 3), "x"), 'expected mode to be "reduced", "complete" or "r", got "x"'),
        ("linalg.eigh", (spec(3, 3), "X"), 'expected UPLO to be "L" or "U", got "X"'),
        ("linalg.cond", (spec(3, 3), 3), 'expected p to be "fro", "nuc", inf, -inf, 1, -1, 2 or -2, got 3'),
        (
            "linalg.solve",
            (spec(3, 3), spec(4, 2)),
            "cannot solve AX = B: expected dimension -2 of B to be 3, got 4 (A of shape (3, 3))",
        ),
        (
            "linalg.solve",
            (spec(3, 3), spec(3, 2, dtype="float64")),
            "expected A and B to have the same dtype, got torch.float32 and torch.float64",
        ),
        (
            "linalg.tensorinv",
            (spec(2, 3, 4),),
            "cannot invert (2, 3, 4): the first 2 dimensions and the others differ in the number of elements: 6 != 4",
        ),
        ("linalg.lstsq", (spec(4, 3), spec(3, 2)), "expected dimension -2 of B to be 4, got 3 (A of shape (4, 3))"),
        (
            "linalg.householder_product",
            (spec(3, 4), spec(2)),
            "expected the number of rows to be at least that of columns, got shape (3, 4)",
        ),
        ("pca_lowrank", (spec(4, 3), 5), "expected q to be between 0 and 3, got 5 (input of shape (4, 3))"),
    ],
)
def test_what_torch_refuses(name: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *arguments)
    assert message in str(refused.value)


def test_the_lesser_size_of_a_matrix_of_names() -> None:
    matrix = spec("m", "n")
    assert infer("linalg.svdvals", matrix).dims == (minimum(*matrix.dims),)


def test_results_have_torch_s_names() -> None:
    found = infer("torch.linalg.svd", spec(5, 3))
    assert (found.U, found.S, found.Vh) == tuple(found)
