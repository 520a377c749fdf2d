"""Layers that are built with unknown arguments: what the result does not depend on, and sizes."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Dim, TensorSpec, axis

B, T, D = axis("b"), axis("t"), axis("d")
SEQUENCE = TensorSpec((T, B, D), "float32")
INDICES = TensorSpec((B, T), "int64")
UNKNOWN = Unknown("an argument")


def built(name: str, *args: Any, **kwargs: Any) -> Any:
    layer = infer(name, *args, **kwargs)
    assert not isinstance(layer, Unknown), layer
    return layer


@pytest.mark.parametrize(
    ("name", "args", "kwargs"),
    [
        ("nn.Embedding", (100, D), {"padding_idx": UNKNOWN}),
        ("nn.Embedding", (100, D, UNKNOWN), {}),
        ("nn.Embedding", (UNKNOWN, D), {"max_norm": UNKNOWN, "sparse": UNKNOWN}),
    ],
)
def test_an_embedding(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert built(name, *args, **kwargs)(INDICES).dims == (B, T, D)


@pytest.mark.parametrize("name", ["nn.RNN", "nn.GRU", "nn.LSTM"])
def test_layers_and_directions_of_a_recurrent_layer(name: str) -> None:
    layers = built(name, D, 8, UNKNOWN)
    output, state = layers(SEQUENCE)
    state = state[0] if isinstance(state, tuple) else state
    assert output.dims == (T, B, 8)
    assert isinstance(state.dims[0], Dim)
    assert state.dims[1:] == (B, 8)

    both = built(name, D, 8, bidirectional=UNKNOWN)
    output, state = both(SEQUENCE)
    state = state[0] if isinstance(state, tuple) else state
    assert output.dims[:2] == (T, B)
    assert output.dims[2] == 8 * state.dims[0], "the same number of directions"
    assert state.dims[1:] == (B, 8)


@pytest.mark.parametrize("bidirectional", [False, True])
def test_known_directions(bidirectional: bool) -> None:
    output, state = built("nn.GRU", D, 8, bidirectional=bidirectional)(SEQUENCE)
    assert (output.dims[2], state.dims[0]) == ((16, 2) if bidirectional else (8, 1))


@pytest.mark.parametrize(
    ("name", "args", "kwargs"),
    [
        ("nn.TransformerEncoderLayer", (D, UNKNOWN, UNKNOWN), {"activation": UNKNOWN, "norm_first": UNKNOWN}),
        ("nn.LeakyReLU", (UNKNOWN,), {}),
        ("nn.ELU", (), {"alpha": UNKNOWN}),
        ("nn.PReLU", (UNKNOWN,), {}),
        ("nn.Dropout", (UNKNOWN,), {}),
    ],
)
def test_the_shape_of_the_input(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert built(name, *args, **kwargs)(SEQUENCE).dims == SEQUENCE.dims


def test_an_unknown_mode_leaves_a_layer_unknown() -> None:
    assert isinstance(infer("nn.LSTM", D, 8, batch_first=UNKNOWN), Unknown)
