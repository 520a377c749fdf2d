"""Implementations of attention are compared although a new model hides them, in forward and in backward."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.planted import examined_alone

MODEL = """\
import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self, dim: int = 8):
        super().__init__()
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.fused_attn, self.scale = True, dim**-0.5
        {hidden}

    def forward(self, x: Float[Tensor, "b t 8"]) -> Float[Tensor, "b t 8"]:
        q, k, v = self.qkv(x).unflatten(-1, (3, -1)).unbind(2)
        if self.fused_attn:
            y = F.scaled_dot_product_attention(q, k, v)
        else:
            {query}
            y = (q @ k.mT).softmax(-1) @ v
        return x + {gain} * self.out(y)
"""
RIGHT = "q = q * self.scale"
HIDDEN = [
    ("pass", "1"),
    ("self.gamma = nn.Parameter(1e-5 * torch.ones(dim))", "self.gamma"),
    ("self.gate = nn.Parameter(torch.zeros(1))", "self.gate"),
    ("nn.init.zeros_(self.out.weight)", "1"),
]


def messages(folder: Path, hidden: str, gain: str, query: str) -> list[str]:
    source = MODEL.format(hidden=hidden, gain=gain, query=query)
    return [one.message for one in examined_alone(folder, source, "attention").diagnostics]


@pytest.mark.parametrize(("hidden", "gain"), HIDDEN)
def test_a_forgotten_scale_is_found(hidden: str, gain: str, tmp_path: Path) -> None:
    (message,) = messages(tmp_path, hidden, gain, "q = 1 * q")
    assert message.startswith("with fused_attn=False, results differ: ")


@pytest.mark.parametrize(("hidden", "gain"), HIDDEN)
def test_a_correct_model_is_not_reported(hidden: str, gain: str, tmp_path: Path) -> None:
    assert messages(tmp_path, hidden, gain, RIGHT) == []


IN_PLACE = {
    "q = q.mul_(self.scale)": "forward raises RuntimeError: Output 0 of Unbind",
    "e = (q * self.scale).exp(); q = e.log(); e.mul_(1)": "backward raises RuntimeError: one of the variables",
}


@pytest.mark.parametrize("query", IN_PLACE)
def test_what_autograd_does_not_allow_in_place_is_reported(query: str, tmp_path: Path) -> None:
    (message,) = messages(tmp_path, *HIDDEN[0], query)
    assert message.startswith(f"with fused_attn=False, {IN_PLACE[query]}")


MASKED = """\
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self, dim: int = 8):
        super().__init__()
        self.embed, self.q, self.k = nn.Embedding(20, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.fused_attn, self.scale = True, dim**-0.5

    def forward(self, input_ids, attention_mask):
        v = self.embed(input_ids)
        q, k = self.q(v), self.k(v)
        mask = attention_mask[:, None].bool()
        if self.fused_attn:
            return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        scores = self.scale * q @ k.mT
        {masked}
        return scores.softmax(-1) @ v
"""
MASKS = {
    "scores = scores.masked_fill(~mask, -1e9)": "",
    "scores = scores.masked_fill(~mask.mT, -1e9)": "results differ",
    "pass": "results differ",
    "scores = scores.masked_fill(~mask, -1e9) if mask.all() else scores.masked_fill(~mask, -1e9).detach()": "no grad",
}


@pytest.mark.parametrize("masked", MASKS)
def test_implementations_are_compared_with_a_padded_mask(masked: str, tmp_path: Path) -> None:
    found = examined_alone(tmp_path, MASKED.replace("{masked}", masked), "attention").diagnostics
    assert [MASKS[masked] in one.message for one in found] == ([True] if MASKS[masked] else [])
    assert all(one.message.endswith(", if attention_mask excludes positions") for one in found)
