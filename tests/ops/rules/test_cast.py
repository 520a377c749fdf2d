"""Casts: the shape stays, and a tensor that already has the dtype is itself."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import TensorSpec, infer
from shapecheck.ops import UNKNOWN
from shapecheck.spec import ShapeError

X = TensorSpec(("b", "t"), "float32", layout="contiguous", device="cpu")
IMAGE = TensorSpec(("b", 3, "h", "w"), "float32", layout="contiguous")


@pytest.mark.parametrize(
    ("method", "dtype"),
    [
        ("float", "float32"),
        ("half", "float16"),
        ("bfloat16", "bfloat16"),
        ("long", "int64"),
        ("int", "int32"),
        ("bool", "bool"),
    ],
)
def test_methods(method: str, dtype: str) -> None:
    assert infer(f"Tensor.{method}", X) == TensorSpec(X.shape, dtype, "contiguous", "cpu")


def test_a_tensor_of_that_dtype_is_itself() -> None:
    assert infer("Tensor.float", X) is X
    assert infer("Tensor.to", X, "float32") is X
    assert infer("Tensor.to", X, "float32", copy=True) == X


@pytest.mark.parametrize(
    ("args", "kwargs", "dtype", "device"),
    [
        (("torch.float16",), {}, "float16", "cpu"),
        (("cuda",), {}, "float32", "cuda"),
        (("cuda:0", "bfloat16"), {"non_blocking": True}, "bfloat16", "cuda:0"),
        (("float64", True), {}, "float64", "cpu"),
        ((TensorSpec((3,), "int64", device="cuda"),), {}, "int64", "cuda"),
        ((), {"dtype": "int64", "device": "cuda"}, "int64", "cuda"),
        ((int,), {}, "int64", "cpu"),
        ((None,), {}, "float32", "cpu"),
        ((UNKNOWN,), {}, None, None),
    ],
)
def test_to(args: Any, kwargs: Any, dtype: str | None, device: str | None) -> None:
    assert infer("Tensor.to", X, *args, **kwargs) == TensorSpec(X.shape, dtype, "contiguous", device)


def test_a_memory_format_changes_the_layout() -> None:
    assert infer("Tensor.to", IMAGE, memory_format="torch.channels_last").layout == "channels_last"
    assert infer("Tensor.half", IMAGE, memory_format="torch.contiguous_format").layout == "contiguous"
    with pytest.raises(ShapeError, match=r"expected a 4-D input for torch.channels_last, got shape \(b, t\)"):
        infer("Tensor.to", X, memory_format="torch.channels_last")


def test_type() -> None:
    assert infer("Tensor.type", X) == "torch.FloatTensor"
    assert infer("Tensor.type", X, "torch.LongTensor") == infer("Tensor.type", X, "int64") == infer("Tensor.long", X)
    assert infer("Tensor.type_as", X, TensorSpec((3,), "float16")) == infer("Tensor.half", X)
    assert infer("Tensor.type_as", X, UNKNOWN).dtype is None


def test_copy_takes_what_broadcasts() -> None:
    assert infer("Tensor.copy_", X, TensorSpec(("t",), "int64")) == X
    assert infer("Tensor.copy_", X, 1.0) == X
    with pytest.raises(ShapeError, match=r"the result is \(2, 3\), but the tensor changed in place is \(3,\)"):
        infer("Tensor.copy_", TensorSpec((3,)), TensorSpec((2, 3)))


def test_conj_keeps_and_angle_makes_real() -> None:
    wave = TensorSpec(("n",), "complex64", layout="contiguous")
    assert infer("torch.conj", wave) == infer("resolve_conj", wave) == infer("Tensor.conj_physical", wave) == wave
    assert str(infer("torch.angle", wave).dtype) == "torch.float32"
