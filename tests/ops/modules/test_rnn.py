"""Recurrent layers: b batch, t steps, D directions, L layers, H hidden."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import TensorSpec, infer
from shapecheck.spec import DTypeError, ShapeError
from tests.conformance.oracle import difference


def spec(*dims: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(dims, dtype)


D, H = spec("d", "h").dims
X = spec("b", "t", "d")


@pytest.mark.parametrize(
    ("layer", "kwargs", "input", "result"),
    [
        ("LSTM", {"batch_first": True}, X, ["(b, t, h)", "(1, b, h)", "(1, b, h)"]),
        ("LSTM", {"num_layers": 3, "bidirectional": True}, X, ["(b, t, 2*h)", "(6, t, h)", "(6, t, h)"]),
        ("LSTM", {"proj_size": 4}, X, ["(b, t, 4)", "(1, t, 4)", "(1, t, h)"]),
        ("LSTM", {}, spec("t", "d"), ["(t, h)", "(1, h)", "(1, h)"]),
        ("LSTM", {"batch_first": True}, spec(..., "d"), ["(..., h)", "(1, ..., h)", "(1, ..., h)"]),
        ("GRU", {"batch_first": True, "bidirectional": True}, X, ["(b, t, 2*h)", "(2, b, h)"]),
        ("RNN", {"num_layers": 2}, X, ["(b, t, h)", "(2, t, h)"]),
        ("LSTMCell", {}, spec("b", "d"), ["(b, h)", "(b, h)"]),
        ("GRUCell", {}, spec("b", "d"), ["(b, h)"]),
        ("RNNCell", {}, spec("d"), ["(h,)"]),
    ],
)
def test_outputs_and_states(layer: str, kwargs: dict[str, Any], input: TensorSpec, result: list[str]) -> None:
    assert [str(one.shape) for one in flat(infer(f"nn.{layer}", D, H, **kwargs)(input))] == result


def flat(answer: Any) -> list[TensorSpec]:
    return [one for part in answer for one in flat(part)] if isinstance(answer, tuple) else [answer]


@pytest.mark.parametrize(
    ("layer", "args", "call", "message"),
    [
        ("LSTM", (128, 256), (X,), None),
        (
            "LSTM",
            (128, 256),
            (spec("b", "t", 64),),
            "the last axis of the input (b, t, 64) is 64, the layer takes input_size 128",
        ),
        (
            "LSTM",
            (16, 32),
            (spec(5, 3, 16), (spec(1, 4, 32), spec(1, 3, 32))),
            "hx[0] is (1, 4, 32), (1, 3, 32) is due",
        ),
        ("LSTM", (16, 32), (spec(5, 3, 16), spec(1, 3, 32)), "hx must be a pair of tensors (h, c)"),
        ("GRU", (16, 32), (spec("b", 4, 5, 16),), "expected to be 2D or 3D, (t, b, in) or (t, in)"),
        ("GRU", (16, 32), (spec(0, 4, 16),), "the sequence length must be larger than 0"),
        ("LSTMCell", (10, 20), (spec("b", 10), (spec("b", 20), spec("b", 21))), "hx[1] is (b, 21), (b, 20) is due"),
        ("RNNCell", (10, 20), (spec("b", "t", 10),), "rank 1 or 2 is due"),
    ],
)
def test_a_refusal_says_what_is_due(layer: str, args: tuple[int, int], call: Any, message: str | None) -> None:
    if message is None:
        infer(f"nn.{layer}", *args)(*call)
        return
    with pytest.raises(ShapeError) as refusal:
        infer(f"nn.{layer}", *args)(*call)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"hidden_size": 0}, "hidden_size must be greater than zero"),
        ({"hidden_size": 4, "proj_size": 4}, "proj_size must be from 0 to less than hidden_size 4"),
        ({"hidden_size": 4, "dropout": 2}, "dropout must be a number between 0 and 1"),
    ],
)
def test_what_the_constructor_refuses(kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(ShapeError) as refusal:
        infer("nn.LSTM", 3, **kwargs)
    assert message in str(refusal.value)


def test_the_input_has_the_weights_dtype() -> None:
    with pytest.raises(DTypeError, match=r"the input is torch.bfloat16 and the weight is torch.float32"):
        infer("nn.LSTM", 4, 8)(spec("b", "t", 4, dtype="bfloat16"))


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(2, 4), st.booleans(), st.booleans())
def test_numbers_agree_with_torch(b: int, t: int, h: int, batch_first: bool, bidirectional: bool) -> None:
    settings = {"batch_first": batch_first, "bidirectional": bidirectional, "num_layers": 2}
    real = torch.nn.LSTM(3, h, proj_size=h - 1, **settings)(torch.zeros(b, t, 3))  # type: ignore[arg-type]
    ours = infer("nn.LSTM", 3, h, proj_size=h - 1, **settings)(spec(b, t, 3))
    assert difference(ours, real, data_dependent=False) == ("exact", "")
