"""Filling: the tensor stays, its values change."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import TensorSpec, infer
from shapecheck.spec import ShapeError

X = TensorSpec(("b", "t"), "float32", layout="contiguous")
IDS = TensorSpec(("b", "t"), "int64", layout="contiguous")


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("zero_", ()),
        ("fill_", (0.5,)),
        ("torch.fill", (TensorSpec((), "int64"),)),
        ("normal_", (0.0, 0.02)),
        ("uniform_", (-1, 1)),
        ("random_", ()),
        ("exponential_", ()),
        ("cauchy_", ()),
        ("log_normal_", ()),
        ("geometric_", (0.5,)),
        ("bernoulli", ()),
        ("bernoulli_", (TensorSpec(("t",), "float32"),)),
    ],
)
def test_shape_and_dtype_stay(name: str, args: Any) -> None:
    assert infer(name, X, *args) == X


def test_keywords_that_python_reserves() -> None:
    assert infer("Tensor.uniform_", X, **{"from": -1, "to": 1}) == X


def test_normal() -> None:
    assert infer("torch.normal", X, 1.0) == infer("torch.normal", X, TensorSpec(("t",), "float64")) == X
    assert infer("torch.normal", 0.0, X) == X
    assert str(infer("torch.normal", 0.0, 1.0, (2, 3), dtype="float64")) == "torch.float64 (2, 3)"


NUMBER = TensorSpec((), "float64")


@pytest.mark.parametrize("parameters", [(NUMBER, NUMBER), (NUMBER, 1.0), (0.0, NUMBER), (TensorSpec((), "int64"), 1)])
def test_normal_of_a_size_takes_0_d_tensors_as_numbers(parameters: Any) -> None:
    assert str(infer("torch.normal", *parameters, (2, 3))) == "torch.float32 (2, 3)"


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("fill_", (X, TensorSpec((1,))), "expected a number or a 0-D value, got shape (1,)"),
        ("fill_", (IDS, float("inf")), "cannot convert inf to torch.int64 without overflow"),
        ("normal_", (IDS,), "expected a floating-point or complex dtype, got torch.int64"),
        ("normal_", (X, 0, -1), "expected std to be at least 0, got -1"),
        ("torch.normal", (X, 1.0, (2, 3)), "expected mean to be a number or a 0-D tensor with size, got shape (b, t)"),
        ("torch.normal", (0.0, TensorSpec((1,)), (2,)), "expected std to be a number or a 0-D tensor with size"),
        ("uniform_", (X, 1, 0), 'expected "from" to be at most "to", got 1 and 0'),
        ("geometric_", (X, 1), "expected p to be between 0 and 1 (exclusive), got 1"),
        ("bernoulli", (IDS,), "floating-point dtype, got torch.int64"),
        ("bernoulli", (X, 2), "expected p to be between 0 and 1, got 2"),
        ("exponential_", (X, 0), "expected lambd to be positive, got 0"),
    ],
)
def test_calls_that_are_refused(name: str, args: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert message in str(refused.value)
