"""Normalisation layers."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import TensorSpec, infer
from shapecheck.ops import UNKNOWN, assuming
from shapecheck.spec import ShapeError


def spec(*dims: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(dims, dtype)


(D,) = spec("d").dims


@pytest.mark.parametrize(
    ("layer", "args", "input", "result"),
    [
        ("LayerNorm", (D,), spec("b", "t", "d"), "(b, t, d)"),
        ("LayerNorm", (64,), spec(...), "(..., 64)"),
        ("LayerNorm", ((4, 8),), spec("b", 4, 8), "(b, 4, 8)"),
        ("LayerNorm", (UNKNOWN,), spec("b", "t", "d"), "(b, t, d)"),
        ("RMSNorm", (64,), spec("b", 64), "(b, 64)"),
        ("RMSNorm", (UNKNOWN,), spec(..., 3), "(..., 3)"),
        ("BatchNorm1d", (64,), spec("b", 64), "(b, 64)"),
        ("BatchNorm2d", (64,), spec("b", "c", 7, 7), "(b, 64, 7, 7)"),
        ("BatchNorm2d", (64,), spec(...), "(?, 64, ?, ?)"),
        ("SyncBatchNorm", (64,), spec("b", 64, "t"), "(b, 64, t)"),
        ("LazyBatchNorm2d", (), spec("b", "c", 7, 7), "(b, c, 7, 7)"),
        ("GroupNorm", (8, 64), spec("b", 64, "h", "w"), "(b, 64, h, w)"),
        ("InstanceNorm2d", (3,), spec(3, "h", "w"), "(3, h, w)"),
        ("InstanceNorm1d", (3,), spec("b", 3, "t"), "(b, 3, t)"),
        ("LocalResponseNorm", (2,), spec("b", "c", "t"), "(b, c, t)"),
        ("CrossMapLRN2d", (2,), spec("b", "c", 4, 4), "(b, c, 4, 4)"),
        ("CosineSimilarity", (), spec("b", "d"), "(b,)"),
        ("PairwiseDistance", (), spec("b", "d"), "(b,)"),
    ],
)
def test_layers(layer: str, args: tuple[Any, ...], input: TensorSpec, result: str) -> None:
    pair = (input, input) if layer in ("CosineSimilarity", "PairwiseDistance") else (input,)
    assert str(infer(f"torch.nn.{layer}", *args)(*pair).shape) == result


def test_an_open_size_is_one_assumption() -> None:
    with assuming() as taken:
        infer("nn.BatchNorm2d", 64)(spec("b", "c", 7, 7))
    assert [str(one).partition(" (")[0] for one in taken] == ["64 == c"]


@pytest.mark.parametrize(
    ("layer", "args", "input", "message"),
    [
        (
            "LayerNorm",
            (64,),
            spec("b", "t", 32),
            "expected dimension -1 of the input to be 64, got 32 (normalized_shape is (64,), input of shape (b, t",
        ),
        (
            "BatchNorm2d",
            (64,),
            spec("b", 32, 7, 7),
            "expected running_mean to have 32 elements, one per channel of (b, 32, 7, 7), got 64",
        ),
        ("BatchNorm1d", (64,), spec("b", 64, 1, 1), "expected a 2-D or 3-D input, got shape (b, 64, 1, 1)"),
        ("BatchNorm2d", (64,), spec("b", 64), "expected a 4-D input, got shape (b, 64)"),
        ("InstanceNorm2d", (3,), spec("b", 3), "expected a 3-D or 4-D input, got shape (b, 3)"),
        ("CrossMapLRN2d", (2,), spec("b", "c", 4), "expected a 4-D input, got shape (b, c, 4)"),
    ],
)
def test_a_layer_refuses(layer: str, args: tuple[Any, ...], input: TensorSpec, message: str) -> None:
    with pytest.raises(ShapeError) as refusal:
        infer(f"torch.nn.{layer}", *args)(input)
    assert message in str(refusal.value)


def test_groups_must_divide_the_channels() -> None:
    with pytest.raises(ShapeError, match="expected num_channels to be divisible by num_groups, got 20 and 8"):
        infer("nn.GroupNorm", 8, 20)
