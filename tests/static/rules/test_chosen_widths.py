"""off-default: a layer for another width than that of its input, where the user of the class chooses both."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

MODEL = """
class Model(nn.Module):
    def __init__(self, vocab: int, width: int, hidden: int, conv: nn.Module):
        super().__init__()
        self.table = nn.Embedding(vocab, width)
        self.layer = nn.Linear(width, width)
        self.rnn = nn.GRU(hidden, width)
        self.conv = nn.Conv1d(width, vocab, 3)
        self.head = nn.Linear({head})
        self.given = conv

    def forward(self, ids: Tensor, x: Tensor):
        b, t, c = x.shape
        y = self.table(ids)
        {body}
"""
RIGHT = "width, vocab"
FOUND = {
    "a head with exchanged sizes": (
        "vocab, width",
        "return self.head(y + self.layer(y))  # HERE",
        "vocab equals width",
    ),
    "a recurrent layer": (RIGHT, "return self.rnn(self.layer(y))[0]  # HERE", "hidden equals width"),
    "channels": (RIGHT, "return self.conv(self.conv(y.transpose(1, 2)))  # HERE", "width equals vocab"),
}
QUIET = {
    "the right order": (RIGHT, "return self.head(y + self.layer(y))"),
    "a tensor of the caller": ("vocab, width", "return self.head(x)"),
    "what another module returns": ("vocab, width", "return self.head(self.given(y))"),
    "a size that was compared": (RIGHT, "assert self.rnn.input_size == y.shape[-1]\n        return self.rnn(y)[0]"),
    "features that are joined": ("vocab, width", "return self.head(torch.cat([y, self.layer(y)], -1))"),
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    head, body, condition = FOUND[case]
    source = MODEL.format(head=head, body=body)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "off-default")
    assert message.endswith(f"(works only if {condition})")


def test_an_input_without_the_dimension(tmp_path: Path) -> None:
    source = MODEL.format(head=RIGHT, body="return self.conv(y.flatten())")
    assert [(code, message) for _, code, message in reported(tmp_path, source)] == [
        ("shape-mismatch", "Conv1d: expected a 2-D or 3-D input, got shape (?,)")
    ]


@pytest.mark.parametrize("case", QUIET)
def test_quiet(case: str, tmp_path: Path) -> None:
    head, body = QUIET[case]
    assert reported(tmp_path, MODEL.format(head=head, body=body)) == []
