"""The activation and dropout layers: they answer as their functions do, and keep torch's attribute names."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from shapecheck import TensorSpec, infer
from shapecheck.spec import CallError, ShapeError

X = TensorSpec(("b", 4, "t"), "float32", layout="contiguous")

SWITCHED = ("ReLU", "ReLU6", "SiLU", "Mish", "SELU", "Hardswish", "Hardsigmoid", "ELU", "CELU", "LeakyReLU", "RReLU")
PLAIN = ("LogSigmoid", "Softsign", "Tanhshrink", "Sigmoid", "Tanh", "Hardshrink", "Softshrink", "Hardtanh", "PReLU")
DROPOUTS = ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout")

ALL: dict[str, dict[str, Any]] = {
    **{name: {"inplace": True} for name in SWITCHED},
    **{name: {} for name in (*PLAIN, "Softmax2d")},
    **{name: {"dim": -1} for name in ("Softmax", "LogSoftmax", "Softmin")},
    **{name: {"p": 0.1} for name in DROPOUTS},
    "GELU": {"approximate": "tanh"},
    "Softplus": {"beta": 2},
    "Threshold": {"threshold": 0.1, "value": 20},
}


@pytest.mark.parametrize("name", ALL)
def test_they_keep_the_shape_and_have_the_attributes_of_torch(name: str) -> None:
    layer = infer(f"nn.{name}", **ALL[name])
    real = getattr(torch.nn, name)(**ALL[name])
    assert layer(X) == X
    assert all(getattr(layer, setting) == getattr(real, setting) for setting in ALL[name])
    assert layer.cast(infer("half", X).dtype)(infer("half", X)) == infer("half", X)


def test_glu_halves() -> None:
    assert str(infer("nn.GLU", 1)(X)) == "torch.float32 (b, 2, t)"


@pytest.mark.parametrize(
    ("name", "settings", "input", "message"),
    [
        ("PReLU", {"num_parameters": 3}, X, "PReLU: expected a weight of shape (4,), got (3,)"),
        ("Softmax2d", {}, TensorSpec((3, 4)), "Softmax2d: expected a 3-D or 4-D input, got shape (3, 4)"),
        ("GLU", {"dim": 1}, TensorSpec((2, 3, 4)), "expected an even size in dimension 1 of (2, 3, 4), got 3"),
        ("Dropout1d", {}, TensorSpec((3,)), "expected a 2-D or 3-D input, got shape (3,)"),
        ("GELU", {}, TensorSpec((3,), "int64"), "GELU: expected a floating-point dtype, got torch.int64"),
    ],
)
def test_inputs_that_are_refused(name: str, settings: dict[str, Any], input: TensorSpec, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(f"nn.{name}", **settings)(input)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("Dropout", {"p": 2}, "expected p to be between 0 and 1, got 2"),
        ("Hardtanh", {"min_val": 2, "max_val": 1}, "expected max_val to be greater than min_val, got 1 <= 2"),
        ("Tanh", {"inplace": True}, "Tanh: takes no arguments"),
    ],
)
def test_settings_that_are_refused(name: str, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(CallError) as refused:
        infer(f"nn.{name}", **settings)
    assert message in str(refused.value)
