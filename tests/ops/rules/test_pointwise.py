"""Operators on one tensor: the shape stays, and so do the strides of a dense tensor."""

from __future__ import annotations

import pytest
import torch

from shapecheck import TensorSpec, infer
from shapecheck.ops import UNKNOWN
from shapecheck.spec import CallError, DTypeError
from tests.conformance.oracle import false_layout
from tests.conformance.specs import tensor_spec

X = TensorSpec(("b", "t", "d"), "float32", layout="contiguous")


@pytest.mark.parametrize(
    ("name", "dtype", "result"),
    [
        ("sqrt", "float16", "float16"),
        ("sqrt", "int64", "float32"),
        ("torch.exp", "bool", "float32"),
        ("sin", "complex64", "complex64"),
        ("Tensor.sigmoid", "int32", "float32"),
        ("abs", "complex64", "float32"),
        ("abs", "int64", "int64"),
        ("angle", "complex128", "float64"),
        ("angle", "int64", "float32"),
        ("square", "bool", "int64"),
        ("square", "float32", "float32"),
        ("isnan", "float32", "bool"),
        ("logical_not", "int64", "bool"),
        ("floor", "int64", "int64"),
        ("neg", "int64", "int64"),
        ("~", "bool", "bool"),
        ("special.entr", "int64", "float32"),
        ("torch.special.expit", "float16", "float16"),
        ("nan_to_num", "float16", "float16"),
        ("logit", "int64", "float32"),
        ("rsqrt", None, None),
        ("isfinite", None, "bool"),
    ],
)
def test_the_dtype_of_the_result(name: str, dtype: str | None, result: str | None) -> None:
    assert infer(name, TensorSpec(X.shape, dtype)) == TensorSpec(X.shape, result)


@pytest.mark.parametrize(
    ("name", "dtype", "message"),
    [
        ("neg", "bool", "neg: expected an integer, floating-point or complex dtype, got torch.bool"),
        ("~", "float32", "bitwise_not: expected a bool or integer dtype, got torch.float32"),
        (
            "ceil",
            "complex64",
            "expected a bool, integer or floating-point dtype, got torch.complex64",
        ),
        ("frexp", "int64", "expected a floating-point dtype, got torch.int64"),
        ("abs_", "complex64", "floating-point dtype, got torch.complex64"),
        (
            "sqrt_",
            "int64",
            "sqrt_: cannot write a result of dtype torch.float32 in place into a tensor of dtype torch.int64",
        ),
    ],
)
def test_dtypes_that_are_refused(name: str, dtype: str, message: str) -> None:
    with pytest.raises(DTypeError) as refused:
        infer(name, TensorSpec((3,), dtype))
    assert message in str(refused.value)


def test_frexp_has_named_results() -> None:
    result = infer("torch.frexp", X)
    assert (result.mantissa, result.exponent) == (X, X.with_dtype(infer("int", X).dtype))


def test_polygamma_takes_its_order_first_as_a_function_and_last_as_a_method() -> None:
    assert infer("torch.polygamma", 1, X) == infer("Tensor.polygamma", X, 1) == X
    with pytest.raises(CallError, match="expected n to be non-negative, got -1"):
        infer("torch.polygamma", -1, X)


def test_a_shape_that_is_partly_known_stays() -> None:
    assert str(infer("torch.tanh", TensorSpec((..., 128), "float32"))) == "torch.float32 (..., 128)"


def test_a_number_is_left_to_python() -> None:
    assert infer("math.sqrt", 4) == UNKNOWN
    assert infer("operator.neg", X) == X


def transposed() -> torch.Tensor:
    return torch.zeros(2, 3, 4).transpose(0, 2)


@pytest.mark.parametrize(
    ("tensor", "layout"),
    [
        (torch.zeros(2, 3), "contiguous"),
        (transposed(), "non-contiguous"),
        (torch.zeros(2, 3, 4, 5).contiguous(memory_format=torch.channels_last), "channels_last"),
        (torch.zeros(3, 4)[:, ::2], "unknown"),
        (torch.zeros(3, 1).expand(3, 4), "unknown"),
        (torch.zeros(8)[::2], "contiguous"),
    ],
)
def test_a_dense_tensor_keeps_its_strides(tensor: torch.Tensor, layout: str) -> None:
    result = infer("exp", tensor_spec(tensor))
    assert result.layout == layout
    assert not false_layout(result, torch.exp(tensor))


def test_symbolic_strides_are_kept_too() -> None:
    swapped = TensorSpec(("d", "b"), "float32", "non-contiguous", strides=(1, X.dims[2]))
    assert infer("relu", swapped) == swapped
