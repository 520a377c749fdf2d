"""batch-axis: items and means of the dimension that layers without batch_first treat as the batch."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch

from .programs import HEAD, place, reported

PROGRAM = """
class Net(nn.Module):
    def __init__(self, count, features, heads):
        super().__init__()
        self.embedding = nn.Embedding(count, features)
        self.layer = {layer}
        self.norm = nn.LayerNorm(features)

    def forward(self, tokens):
        x = self.embedding(tokens)
        {call}
        return {result}  # HERE
"""
LSTM = "nn.LSTM(features, features)"
GRU = "nn.GRU(features, features, num_layers=2)"
GRU_OF_BATCH = "nn.GRU(features, features, num_layers=2, batch_first=True)"
BOTH_WAYS = "nn.LSTM(features, features, bidirectional=True)"
ATTENTION = "nn.MultiheadAttention(features, heads)"
ENCODER = "nn.TransformerEncoder(nn.TransformerEncoderLayer(features, heads), 2)"
RECURRENT_CALL = "y, _ = self.layer(x)"
ATTENTION_CALL = "y, weights = self.layer(x, x, x)"
OUTPUT = " without batch_first=True returns (sequence, batch, features)"
STATES = " are (layers, batch, features), also with batch_first=True"
FOUND = {
    "the last step of an LSTM": (LSTM, RECURRENT_CALL, "y[:, -1]"),
    "with all features": (LSTM, RECURRENT_CALL, "y[:, -1, :]"),
    "a GRU of two layers": (GRU, RECURRENT_CALL, "y[:, -1]"),
    "in both directions": (BOTH_WAYS, RECURRENT_CALL, "y[:, -1]"),
    "a mean of the steps": (LSTM, RECURRENT_CALL, "y.mean(dim=1)"),
    "the largest step": (LSTM, RECURRENT_CALL, "torch.max(y, 1)[0]"),
    "the final state": (LSTM, "_, (y, _) = self.layer(x)", "y[:, -1]"),
    "the final state of a GRU": (GRU, "_, y = self.layer(x)", "y[:, -1, :]"),
    "the final state with the batch first": (GRU_OF_BATCH, "_, y = self.layer(x)", "y[:, -1]"),
    "behind a norm": (LSTM, RECURRENT_CALL, "self.norm(y)[:, -1]"),
    "a class token": (ATTENTION, ATTENTION_CALL, "self.norm(x + y)[:, 0]"),
    "a mean of attention": (ATTENTION, ATTENTION_CALL, "y.mean(1)"),
    "a mean of an encoder": (ENCODER, "y = self.layer(x)", "y.mean(dim=1)"),
}
QUIET = {
    "an LSTM with the batch first": ("nn.LSTM(features, features, batch_first=True)", RECURRENT_CALL, "y[:, -1]"),
    "attention with the batch first": (
        "nn.MultiheadAttention(features, heads, batch_first=True)",
        ATTENTION_CALL,
        "self.norm(x + y)[:, 0]",
    ),
    "an encoder with the batch first": (
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(features, heads, batch_first=True), 2)",
        "y = self.layer(x)",
        "y.mean(dim=1)",
    ),
    "the final state of the last layer": (GRU_OF_BATCH, "_, y = self.layer(x)", "y[-1]"),
    "transposed before and after": (LSTM, "y = self.layer(x.transpose(0, 1))[0].transpose(0, 1)", "y[:, -1]"),
}
OF_ONE_SAMPLE_OR_THE_SEQUENCE = {
    "the last step of a sequence that comes first": (LSTM, RECURRENT_CALL, "y[-1]"),
    "a mean over the sequence": (ENCODER, "y = self.layer(x)", "y.mean(dim=0)"),
    "a batch of one": (LSTM, "y, _ = self.layer(x[:, 0].unsqueeze(1))", "y[:, -1]"),
    "the first sample, to be looked at": (LSTM, RECURRENT_CALL, "y[:, 0]"),
    "the weights of attention, over the queries": (ATTENTION, ATTENTION_CALL, "weights.mean(dim=1)"),
    "an option that is not known": ("nn.LSTM(features, features, batch_first=heads > 2)", RECURRENT_CALL, "y[:, -1]"),
}


def program(parts: tuple[str, str, str]) -> str:
    layer, call, result = parts
    return PROGRAM.format(layer=layer, call=call, result=result)


def result_is_the_same_alone(source: str) -> bool:
    """Whether there is a result for each of three samples, and that for the last is the same if it is the only one."""
    names: dict[str, object] = {}
    exec(HEAD + textwrap.dedent(source), names)
    build = names["Net"]
    assert callable(build)
    torch.manual_seed(0)
    net = build(20, 8, 2).eval()
    tokens = torch.randint(20, (3, 5))
    result = net(tokens)
    return len(result) == len(tokens) and torch.allclose(result[-1], net(tokens[-1:])[-1], atol=1e-4)


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source = program(FOUND[name])
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "batch-axis")
    assert message.endswith(STATES if "final state" in name else OUTPUT)


@pytest.mark.parametrize("name", [*QUIET, *OF_ONE_SAMPLE_OR_THE_SEQUENCE])
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, program((QUIET | OF_ONE_SAMPLE_OR_THE_SEQUENCE)[name])) == []


def test_another_method_may_look_at_a_sample(tmp_path: Path) -> None:
    assert reported(tmp_path, program(FOUND["the last step of an LSTM"]).replace("def forward", "def show")) == []


@pytest.mark.parametrize("name", [*FOUND, *QUIET])
def test_the_result_for_a_sample_depends_on_the_others(name: str) -> None:
    assert result_is_the_same_alone(program((FOUND | QUIET)[name])) is (name in QUIET)


def test_as_many_samples_as_layers(tmp_path: Path) -> None:
    source = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.GRU(8, 8, num_layers=2, batch_first=True)

    def forward(self, x):
        {}
        return y[:, -1]  # HERE

Net()(torch.zeros(2, 5, 8))
"""
    assert reported(tmp_path, source.format("y, _ = self.layer(x)")) == []
    ((line, code, _),) = reported(tmp_path, source.format("_, y = self.layer(x)"))
    assert (line, code) == (place(source), "batch-axis")
