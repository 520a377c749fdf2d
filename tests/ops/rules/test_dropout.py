"""Dropouts."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import TensorSpec, infer
from shapecheck.ops import UNKNOWN
from shapecheck.spec import ShapeError

X = TensorSpec(("b", "t", "d"), "float32", layout="contiguous")
IDS = TensorSpec(("b", "t"), "int64", layout="contiguous")


@pytest.mark.parametrize(
    "name", ["dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"]
)
def test_shape_and_dtype_stay(name: str) -> None:
    assert infer(f"F.{name}", X) == infer(f"F.{name}", X, 0.1, UNKNOWN, True) == X
    assert infer(f"F.{name}", X, UNKNOWN, training=UNKNOWN) == X
    assert infer(f"F.{name}", IDS, 0.1, False) == IDS


@pytest.mark.parametrize("name", ["dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"])
def test_functions_of_torch_take_train(name: str) -> None:
    assert infer(f"torch.{name}", X, 0.1, train=True) == infer(f"torch.{name}", X, p=0.1, train=UNKNOWN) == X


def test_native_dropout_gives_its_mask() -> None:
    result, mask = infer("torch.native_dropout", X, 0.1, True)
    assert (result, str(mask)) == (X, "torch.bool (b, t, d)")


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("F.dropout", (X, 1.5), "expected p to be between 0 and 1, got 1.5"),
        ("F.dropout", (IDS,), "expected a floating-point or complex dtype, got torch.int64"),
        ("F.dropout1d", (TensorSpec((2, 3, 4, 5), "float32"),), "expected a 2-D or 3-D input, got shape (2, 3, 4, 5)"),
        ("F.dropout2d", (TensorSpec((3,), "float32"),), "expected at least 2 dimensions, got shape (3,)"),
    ],
)
def test_calls_that_are_refused(name: str, args: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert message in str(refused.value)
