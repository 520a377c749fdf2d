"""torch.einsum: equations, sublists, and what does not fit them."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from tests.ops.laws import T, agree

SIZE = st.integers(1, 4)


def spec(*axes: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(axes, dtype)


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (("ij,jk->ik", spec(2, 3), spec(3, 4)), "(2, 4)"),
        (("ij,jk", spec(2, 3), spec(3, 4)), "(2, 4)"),
        (("ij,jk->ik", [spec(2, 3), spec(3, 4)]), "(2, 4)"),
        (("bA", spec(2, 3)), "(3, 2)"),
        (("ii->i", spec(3, 3)), "(3,)"),
        (("ii", spec(3, 3)), "()"),
        (("ij,jk->ik", spec(2, 1), spec(3, 4)), "(2, 4)"),
        (("a b c -> c b a", spec(2, 3, 4)), "(4, 3, 2)"),
        (("...ij,...jk->...ik", spec(7, 2, 3), spec(5, 1, 3, 4)), "(5, 7, 2, 4)"),
        (("...ij->...ji", spec(7, 2, 3)), "(7, 3, 2)"),
        (("i...j", spec(2, 7, 3)), "(7, 2, 3)"),
        (("i...,j...->ij", spec(2, 7), spec(3, 7)), "(2, 3)"),
        (("i->...i", spec(2)), "(2,)"),
        (("->", spec()), "()"),
        ((spec(2, 3), [0, 1], spec(3, 4), [1, 2], [0, 2]), "(2, 4)"),
        ((spec(2, 3), [51, 0]), "(3, 2)"),
        ((spec(7, 2, 3), [..., 1], spec(3, 4), [1, 2], [..., 2]), "(7, 2, 4)"),
        (("bhqd,bhkd->bhqk", spec("b", "h", "q", "d"), spec("b", "h", "k", "d")), "(b, h, q, k)"),
        (("bhqd,bhkd->bhqk", spec("b", "h", "q", 64), spec(...)), "(b, h, q, ?)"),
        (("...d,de->...e", spec(..., "d"), spec("d", "e")), "(..., e)"),
        (("...td->...dt", spec("b", ..., "t", "d")), "(b, ..., d, t)"),
    ],
)
def test_einsum(arguments: tuple[Any, ...], result: str) -> None:
    assert str(infer("torch.einsum", *arguments).shape) == result


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("ij,jk->ik", spec(2, 3), spec(5, 4)),
            'expected subscript j of operand 1 ("jk") to be 3, got 5 (shape (5, 4))',
        ),
        (
            ("ij,jk->ik", spec("b", "c"), spec("d", "e")),
            'expected subscript j of operand 1 ("jk") to be c, got d (shape (d, e))',
        ),
        (("ij", spec(2, 3, 4)), 'expected operand 0 ("ij") to be 2-D, got shape (2, 3, 4)'),
        (("...ijk", spec(2, 3)), 'expected operand 0 ("...ijk") to be at least 3-D, got shape (2, 3)'),
        (("ii", spec(1, 3)), "expected equal sizes for subscript i in operand 0, got 1 and 3"),
        (("ij,jk", spec(2, 3)), "expected the number of operands to be 2, got 1"),
        (("ij->ikk", spec(2, 3)), "output subscript k does not appear in any operand"),
        (("ij,jk->ikk", spec(2, 3), spec(3, 4)), "output subscript k appears more than once"),
        (("i1", spec(2, 3)), 'expected a letter at index 1 of "i1", got "1"'),
        (("ij->i->", spec(2, 3)), 'expected a letter at index 5 of "ij->i->", got "-"'),
        (("a . . . b", spec(2, 3)), 'expected "..." at index 2 of "a . . . b", got "."'),
        (("...i...", spec(2, 3)), 'expected at most one ellipsis per operand, got a second at index 4 of "...i..."'),
        (
            ("...i,...i->...i", spec(2, 3), spec(4, 3)),
            "batch dimensions of the ellipsis: cannot broadcast (2,) and (4,)",
        ),
        ((spec(2, 3), [60, 0]), "expected subscripts between 0 and 51, got 60"),
        (
            ("ij,jk->ik", spec(2, 3), spec(3, 4, dtype="float64")),
            "expected both operands to have the same dtype, got torch.float32 and torch.float64",
        ),
        (("ij", 3), "expected operand 0 to be a tensor, got 3"),
        ((), "expected an equation and operands, or operands each followed by a list of subscripts"),
    ],
)
def test_einsum_refuses(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer("einsum", *arguments)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("equation", "dtypes", "result"),
    [
        ("ij->i", ("int32",), "int64"),
        ("ij->ij", ("bool",), "bool"),
        ("ij->", ("float16",), "float16"),
        ("ij,jk->ik", ("int32", "int32"), "int32"),
        ("ij,kl->ijkl", ("int64", "float32"), "float32"),
        ("ij,kl->i", ("int32", "int32"), "int64"),
    ],
)
def test_the_dtype(equation: str, dtypes: tuple[str, ...], result: str) -> None:
    tensors = [torch.ones(3, 3).to(getattr(torch, name)) for name in dtypes]
    assert str(torch.einsum(equation, *tensors).dtype) == f"torch.{result}"
    assert str(infer("einsum", equation, *(spec(3, 3, dtype=name) for name in dtypes)).dtype) == f"torch.{result}"


@given(
    b=SIZE, i=SIZE, j=SIZE, k=SIZE, equation=st.sampled_from(("bij,bjk->bik", "...ij,...jk", "bij,ljk->kb", "bij,b..k"))
)
@settings(max_examples=30, deadline=None)
def test_einsum_agrees_with_torch(b: int, i: int, j: int, k: int, equation: str) -> None:
    agree(
        "einsum", torch.einsum, lambda b, i, j, k: (equation, T(b, i, j), T(b, j, k)), {"b": b, "i": i, "j": j, "k": k}
    )
