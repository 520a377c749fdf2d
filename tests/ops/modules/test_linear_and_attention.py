"""Linear, MultiheadAttention and the transformers."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import ShapeError, TensorSpec, infer


def spec(*axes: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(axes, dtype)


def test_linear() -> None:
    layer = infer("nn.Linear", 256, 10)
    assert repr(layer) == "Linear(256, 10)"
    assert layer(spec("b", "t", 256)).shape == spec("b", "t", 10).shape
    with pytest.raises(
        ShapeError, match=r"expected the last dimension of the input to be 256, got 128 \(weight of shape \(10, 256\)\)"
    ):
        layer(spec(8, 128))


def test_a_lazy_linear_takes_its_size_from_the_first_input() -> None:
    layer = infer("nn.LazyLinear", 10)
    assert layer(spec("b", 7)).shape == spec("b", 10).shape
    assert layer.in_features == 7
    with pytest.raises(ShapeError, match="expected the last dimension of the input to be 7, got 8"):
        layer(spec("b", 8))


@pytest.mark.parametrize(
    ("built", "options", "arguments", "result", "weights"),
    [
        ({}, {}, [(5, 2, 8)] * 3, (5, 2, 8), "(2, 5, 5)"),
        ({"batch_first": True}, {}, [(2, 5, 8), (2, 7, 8), (2, 7, 8)], (2, 5, 8), "(2, 5, 7)"),
        ({}, {"average_attn_weights": False}, [("l", "n", 8)] * 3, ("l", "n", 8), "(n, 4, l, l)"),
        ({}, {"need_weights": False}, [(5, 2, 8)] * 3, (5, 2, 8), "None"),
        ({"kdim": 3, "vdim": 6}, {}, [(5, 2, 8), (7, 2, 3), (7, 2, 6)], (5, 2, 8), "(2, 5, 7)"),
        ({"add_bias_kv": True, "add_zero_attn": True}, {}, [(5, 2, 8)] * 3, (5, 2, 8), "(2, 5, 7)"),
        ({"batch_first": True}, {}, [(5, 8)] * 3, (5, 8), "(5, 5)"),
        (
            {},
            {"attn_mask": spec(5, 5), "key_padding_mask": spec(2, 5, dtype="bool")},
            [(5, 2, 8)] * 3,
            (5, 2, 8),
            "(2, 5, 5)",
        ),
    ],
)
def test_multihead_attention(built: Any, options: Any, arguments: Any, result: Any, weights: str) -> None:
    attended, found = infer("nn.MultiheadAttention", 8, 4, **built)(*(spec(*one) for one in arguments), **options)
    assert attended.shape == spec(*result).shape
    assert str(None if found is None else found.shape) == weights


@pytest.mark.parametrize(
    ("options", "arguments", "message"),
    [
        ({}, [(5, 2, 9)] * 3, "expected the last dimension of the query to be embed_dim=8, got 9 (shape (5, 2, 9))"),
        (
            {},
            [(5, 2, 8), (7, 3, 8), (7, 3, 8)],
            "expected query and key to have the same batch size, got shapes (5, 2, 8) and (7, 3, 8): 2 != 3",
        ),
        (
            {},
            [(5, 2, 8), (7, 2, 8), (6, 2, 8)],
            "expected key and value to have the same shape, got (7, 2, 8) and (6, 2, 8)",
        ),
        ({}, [(5, 2, 8), (7, 8), (7, 8)], "expected a 3-D key, got shape (7, 8)"),
        ({"attn_mask": spec(5, 6)}, [(5, 2, 8)] * 3, "expected attn_mask of shape (5, 5), got (5, 6)"),
        ({"attn_mask": spec(2, 5, 5)}, [(5, 2, 8)] * 3, "expected attn_mask of shape (8, 5, 5), got (2, 5, 5)"),
        (
            {"key_padding_mask": spec(5, 2, dtype="bool")},
            [(5, 2, 8)] * 3,
            "expected key_padding_mask of shape (2, 5), got (5, 2)",
        ),
        (
            {"attn_mask": spec(5, 5, dtype="int64")},
            [(5, 2, 8)] * 3,
            "expected attn_mask to have a bool or floating-point dtype, got torch.int64",
        ),
        ({"is_causal": True}, [(5, 2, 8)] * 3, "is_causal=True requires attn_mask"),
    ],
)
def test_multihead_attention_refuses(options: Any, arguments: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer("nn.MultiheadAttention", 8, 4)(*(spec(*one) for one in arguments), **options)
    assert message in str(refused.value)


@pytest.mark.parametrize(("batch_first", "result"), [(False, "(?, 2, 8)"), (True, "(2, ?, 8)")])
def test_a_query_of_unknown_rank_has_the_batch_of_the_key(batch_first: bool, result: str) -> None:
    key = spec(2, 7, 8) if batch_first else spec(7, 2, 8)
    attended, _ = infer("nn.MultiheadAttention", 8, 4, batch_first=batch_first)(spec(..., 8), key, key)
    assert str(attended.shape) == result


def test_heads_must_divide_the_embedding() -> None:
    with pytest.raises(ShapeError, match="expected embed_dim to be divisible by num_heads, got 10 and 4"):
        infer("nn.MultiheadAttention", 10, 4)
    assert infer("nn.MultiheadAttention", spec("d").dims[0], spec("h").dims[0]).head_dim is not None


def test_transformers() -> None:
    encoder = infer("nn.TransformerEncoder", infer("nn.TransformerEncoderLayer", 8, 2, 16, batch_first=True), 3)
    assert encoder(spec("b", "t", 8)).shape == spec("b", "t", 8).shape
    with pytest.raises(ShapeError, match="expected the last dimension of the query to be embed_dim=8, got 9"):
        encoder(spec("b", "t", 9))
    whole = infer("nn.Transformer", 8, 2, 1, 1, 16)
    assert whole(spec("s", "b", 8), spec("t", "b", 8)).shape == spec("t", "b", 8).shape
    with pytest.raises(ShapeError, match=r"same batch size, got shapes .*: 2 != 3"):
        whole(spec(5, 2, 8), spec(6, 3, 8))
