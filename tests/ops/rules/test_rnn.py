"""Recurrent networks as functions, and sequences of different lengths."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn.utils import rnn

from shapecheck import TensorSpec, infer
from shapecheck.spec import ShapeError, maximum
from tests.conformance.oracle import difference
from tests.conformance.specs import spec_of


def spec(*dims: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(dims, dtype)


def test_lstm_reads_its_sizes_from_the_weights() -> None:
    weights = [spec(80, 10), spec(80, 20), spec(80), spec(80)]
    states = (spec(1, "b", 20), spec(1, "b", 20))
    output, hidden, cell = infer("torch.lstm", spec("b", "t", 10), states, weights, True, 1, 0.0, False, False, True)
    assert [str(one.shape) for one in (output, hidden, cell)] == ["(b, t, 20)", "(1, b, 20)", "(1, b, 20)"]
    with pytest.raises(ShapeError, match="expected the last dimension of the input to be 10, got 11"):
        infer("torch.lstm", spec("b", "t", 11), states, weights, True, 1, 0.0, False, False, True)


def test_a_cell_keeps_the_batch() -> None:
    assert (
        str(infer("torch.gru_cell", spec("b", 10), spec("b", 20), spec(60, 10), spec(60, 20)))
        == "torch.float32 (b, 20)"
    )
    with pytest.raises(ShapeError, match=r"expected hx of shape \(b, 20\) \(batch, hidden_size\), got \(b, 21\)"):
        infer("torch.gru_cell", spec("b", 10), spec("b", 21), spec(60, 10), spec(60, 20))


def test_padding_takes_the_longest() -> None:
    sequences = [spec("s", "d"), spec("t", "d")]
    s, t, d = spec("s", "t", "d").dims
    assert infer("torch.nn.utils.rnn.pad_sequence", sequences).dims == (maximum(s, t), 2, d)
    assert infer("torch.nn.utils.rnn.pad_sequence", sequences, True).dims == (2, maximum(s, t), d)
    with pytest.raises(ShapeError, match="sizes must match except in dimension 0"):
        infer("torch.nn.utils.rnn.pad_sequence", [spec(3, 2), spec(4, 3)])


@pytest.mark.parametrize("is_sorted", [True, False])
@pytest.mark.parametrize("batch_first", [True, False])
def test_packed_sequences_pass_through_a_layer(is_sorted: bool, batch_first: bool) -> None:
    real = torch.zeros(2, 5, 3) if batch_first else torch.zeros(5, 2, 3)
    packed = rnn.pack_padded_sequence(real, [5, 4], batch_first, is_sorted)  # type: ignore[arg-type]
    ours = infer("torch.nn.utils.rnn.pack_padded_sequence", spec_of(real), [5, 4], batch_first, is_sorted)
    assert difference(ours, packed, data_dependent=False) == ("exact", "")
    out, _ = torch.nn.GRU(3, 4, bidirectional=True)(packed)
    our_out, our_hidden = infer("nn.GRU", 3, 4, bidirectional=True)(ours)
    assert str(our_hidden.shape) == "(2, 2, 4)"
    padded = infer("torch.nn.utils.rnn.pad_packed_sequence", our_out, batch_first)
    assert difference(padded, rnn.pad_packed_sequence(out, batch_first), data_dependent=False) == ("exact", "")


def test_lengths_in_a_tensor_leave_the_number_of_steps_open() -> None:
    packed = infer("torch.nn.utils.rnn.pack_padded_sequence", spec("t", "b", "d"), spec("b", dtype="int64"))
    padded, lengths = infer("torch.nn.utils.rnn.pad_packed_sequence", packed, total_length=spec("t").dims[0])
    assert str(padded.shape) == "(t, b, d)"
    assert str(lengths) == "torch.int64 (b,)"
