"""batch-axis: inputs whose author calls the dimension of the sequence the batch."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from shapecheck.spec import axis, unknown
from shapecheck.static.rules.batch_axis_names import is_named_by_owner

from .programs import place, reported

PROGRAM = """
class Net(nn.Module):
    def __init__(self, words, width, heads):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width)
        self.gru_of_batch = nn.GRU(width, width, batch_first=True)
        self.attention = nn.MultiheadAttention(width, heads)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(width, heads, batch_first=True), 2)

    def forward(
        self,
        x: Float[Tensor, "batch time width"],
        y: Float[Tensor, "time batch width"],
        z: Float[Tensor, "n time width"],
        words: Tensor,
    ):
        b, t = words.shape
        w = self.embedding(words)
        return {result}  # HERE
"""
FOUND = {
    "self.lstm(x)": "without batch_first=True takes (sequence, batch, features), but the input is (batch, time, width)",
    "self.lstm(w)": "but the input is (b, t, width)",
    "self.attention(w, w, w)": "MultiheadAttention without batch_first=True takes (sequence, batch, features)",
    "self.gru_of_batch(y)": "takes (batch, sequence, features), but the input is (time, batch, width)",
    "self.encoder(y)": "TransformerEncoder with batch_first=True takes (batch, sequence, features)",
}
QUIET = [
    "self.lstm(y)",
    "self.lstm(x.transpose(0, 1))",
    "self.lstm(w.movedim(1, 0))",
    "self.gru_of_batch(x)",
    "self.encoder(w)",
    "self.attention(y, y, y)",
    "self.lstm(z)",
    "self.lstm(w.reshape(b * t, 1, -1))",
]


@pytest.mark.parametrize("result", FOUND)
def test_found(result: str, tmp_path: Path) -> None:
    source = PROGRAM.format(result=result)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "batch-axis")
    assert FOUND[result] in message


@pytest.mark.parametrize("result", QUIET)
def test_quiet(result: str, tmp_path: Path) -> None:
    assert reported(tmp_path, PROGRAM.format(result=result)) == []


@pytest.mark.parametrize(
    ("owners", "is_proven"), [(("net", "net"), True), ((None, "net"), True), (("model", "net"), False)]
)
def test_names_that_a_part_gives_to_the_tensor_of_a_model_prove_nothing(
    owners: tuple[str | None, ...], is_proven: bool
) -> None:
    """As in Demucs, whose layers take the batch first since a change, and still call it the sequence."""
    fields = [{} if one is None else {"self": one} for one in owners]
    frames = [SimpleNamespace(names=SimpleNamespace(fields=one)) for one in fields]
    call: Any = SimpleNamespace(run=SimpleNamespace(frames=frames))
    assert is_named_by_owner(call, unknown("b")) is is_proven
    assert is_named_by_owner(call, axis("b"))
