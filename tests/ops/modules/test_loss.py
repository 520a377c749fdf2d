"""Losses as layers: each keeps its configuration."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import TensorSpec, infer
from shapecheck.spec import ShapeError


def spec(*dims: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(dims, dtype)


X = spec("b", "c")
Y = spec("b", dtype="int64")


@pytest.mark.parametrize(
    ("layer", "kwargs", "call"),
    [
        ("CrossEntropyLoss", {"label_smoothing": 0.1}, (X, Y)),
        ("NLLLoss", {}, (X, Y)),
        ("MultiMarginLoss", {"p": 2}, (X, Y)),
        ("MultiLabelSoftMarginLoss", {}, (X, X)),
        ("CosineEmbeddingLoss", {"margin": 0.5}, (X, X, Y)),
        ("TripletMarginLoss", {"swap": True}, (X, X, X)),
        ("TripletMarginWithDistanceLoss", {}, (X, X, X)),
        ("CTCLoss", {}, (spec("t", "b", "c"), spec("b", "s", dtype="int64"), Y, Y)),
    ],
)
def test_a_loss_for_each_row(layer: str, kwargs: dict[str, Any], call: tuple[TensorSpec, ...]) -> None:
    assert str(infer(f"torch.nn.{layer}", reduction="none", **kwargs)(*call)) == "torch.float32 (b,)"
    assert str(infer(f"torch.nn.{layer}", **kwargs)(*call)) == "torch.float32 ()"


@pytest.mark.parametrize(
    "layer",
    [
        "L1Loss",
        "MSELoss",
        "SmoothL1Loss",
        "HuberLoss",
        "BCELoss",
        "BCEWithLogitsLoss",
        "KLDivLoss",
        "PoissonNLLLoss",
        "HingeEmbeddingLoss",
        "SoftMarginLoss",
    ],
)
def test_a_loss_for_each_element(layer: str) -> None:
    assert str(infer(f"torch.nn.{layer}", reduction="none")(X, X)) == "torch.float32 (b, c)"
    assert str(infer(f"torch.nn.{layer}")(X, X)) == "torch.float32 ()"


def test_losses_with_a_classifier_inside() -> None:
    output, loss = infer("nn.AdaptiveLogSoftmaxWithLoss", 8, 20, [5, 10])(spec("n", 8), spec("n", dtype="int64"))
    assert (str(output), str(loss)) == ("torch.float32 (n,)", "torch.float32 ()")
    head = infer("nn.LinearCrossEntropyLoss", 8, 20, reduction="none")
    assert str(head(spec("n", 8), spec("n", dtype="int64"))) == "torch.float32 (n,)"
    with pytest.raises(ShapeError, match="expected the last dimension of the input to be 8, got 7"):
        infer("nn.AdaptiveLogSoftmaxWithLoss", 8, 20, [5, 10])(spec("n", 7), spec("n", dtype="int64"))
    with pytest.raises(ShapeError, match="cutoffs"):
        infer("nn.AdaptiveLogSoftmaxWithLoss", 8, 20, [10, 5])


def test_what_a_constructor_refuses() -> None:
    with pytest.raises(ShapeError, match="expected margin to be greater than 0, got 0"):
        infer("nn.TripletMarginLoss", margin=0)
    with pytest.raises(ShapeError, match="expected p to be 1 or 2, got 3"):
        infer("nn.MultiMarginLoss", p=3)
