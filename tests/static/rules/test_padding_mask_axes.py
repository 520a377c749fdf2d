"""Key padding masks with the dimensions of the keys in the wrong order."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch

from .programs import HEAD, place, reported

PROGRAM = """
class Net(nn.Module):
    def __init__(self, features, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(features, heads)
        self.first = nn.MultiheadAttention(features, heads, batch_first=True)
        self.layer = nn.TransformerEncoderLayer(features, heads, batch_first=True)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(features, heads), 2)

    def forward(self, x: Tensor):
        b, t, _ = x.shape
        y = x.transpose(0, 1)
        is_padding = torch.zeros(b, t, dtype=torch.bool, device=x.device)
        return {call}  # HERE
"""
FOUND = {
    "self.attention(y, y, y, key_padding_mask=is_padding.t())": "MultiheadAttention: expected a key padding mask of "
    "shape (b, t), got (t, b); it works only if b equals t: transpose the mask",
    "self.first(x, x, x, is_padding.t())": "MultiheadAttention: expected a key padding mask of shape (b, t)",
    "self.layer(x, src_key_padding_mask=is_padding.T)": "TransformerEncoderLayer: expected a key padding mask",
    "self.encoder(y, src_key_padding_mask=is_padding.T)": "TransformerEncoder: expected a key padding mask",
}
QUIET = [
    "self.attention(y, y, y, key_padding_mask=is_padding)",
    "self.first(x, x, x, is_padding)",
    "self.layer(x, src_key_padding_mask=is_padding)",
    "self.encoder(y, src_key_padding_mask=is_padding)",
    "self.layer(x[:, :, :], src_key_padding_mask=is_padding[:, :t])",
]


@pytest.mark.parametrize("call", FOUND)
def test_found(call: str, tmp_path: Path) -> None:
    source = PROGRAM.format(call=call)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert message.startswith(FOUND[call])


@pytest.mark.parametrize("call", QUIET)
def test_quiet(call: str, tmp_path: Path) -> None:
    assert reported(tmp_path, PROGRAM.format(call=call)) == []


@pytest.mark.parametrize("call", [*FOUND, *QUIET])
def test_torch_refuses_what_is_found(call: str) -> None:
    names: dict[str, object] = {}
    exec(HEAD + textwrap.dedent(PROGRAM.format(call=call)), names)
    build = names["Net"]
    assert callable(build)
    net, x = build(8, 2), torch.randn(3, 5, 8)
    if call in QUIET:
        net(x)
    else:
        with pytest.raises((RuntimeError, AssertionError)):
            net(x)
