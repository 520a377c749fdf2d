"""Embedding and EmbeddingBag."""

from __future__ import annotations

import pytest

from shapecheck.ops import infer
from shapecheck.spec import ShapeError, TensorSpec

INDICES = TensorSpec(("b", "t"), "int64")


def test_an_embedding_adds_an_axis() -> None:
    layer = infer("nn.Embedding", 1000, 64)
    assert str(layer(INDICES)) == "torch.float32 (b, t, 64)"
    assert layer.weight.shape == (1000, 64)
    assert repr(layer) == "Embedding(1000, 64)"


def test_a_bag_replaces_one() -> None:
    assert str(infer("nn.EmbeddingBag", 1000, 64)(INDICES)) == "torch.float32 (b, 64)"
    bags = infer("nn.EmbeddingBag", 1000, 64, mode="sum", include_last_offset=True)
    assert str(bags(TensorSpec(("n",), "int64"), TensorSpec((5,), "int64"))) == "torch.float32 (4, 64)"


def test_a_table_that_is_there_already() -> None:
    layer = infer("nn.Embedding", 3, 4)
    assert str(type(layer).from_pretrained(TensorSpec((10, 4), "float16"))(INDICES)) == "torch.float16 (b, t, 4)"


def test_what_the_constructor_refuses() -> None:
    with pytest.raises(ShapeError, match="padding_idx out of range: expected -10 to 9, got 10"):
        infer("nn.Embedding", 10, 4, padding_idx=10)
    with pytest.raises(ShapeError, match=r"expected a weight of shape \(10, 4\) .*, got \(10, 5\)"):
        infer("nn.Embedding", 10, 4, _weight=TensorSpec((10, 5)))
    with pytest.raises(ShapeError, match="negative size"):
        infer("nn.Embedding", -1, 4)


def test_indices_are_integers() -> None:
    with pytest.raises(
        ShapeError,
        match=r"Embedding: expected the input .* to have dtype torch.int64 or torch.int32, got torch.float32",
    ):
        infer("nn.Embedding", 10, 4)(TensorSpec((2,), "float32"))
