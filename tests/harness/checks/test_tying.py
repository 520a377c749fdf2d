"""Memory that two parameters share, memory that they only lie next to each other in, and embeddings of two parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor

from shapecheck.harness.checks.tying import overlap
from tests.harness.planted import examined_alone

WHOLE = torch.zeros(6, 4).requires_grad_()
SHARED: dict[str, Callable[[Tensor], tuple[Tensor, Tensor]]] = {
    "the same elements": lambda one: (one, one),
    "transposed": lambda one: (one, one.t()),
    "the first rows": lambda one: (one, one[:2]),
    "the last rows": lambda one: (one[4:], one),
    "rows that overlap": lambda one: (one[:4], one[2:]),
}
APART: dict[str, Callable[[Tensor], tuple[Tensor, Tensor]]] = {
    "halves": lambda one: (one[:3], one[3:]),
    "columns": lambda one: (one[:, :2], one[:, 2:]),
    "every second row": lambda one: (one[::2], one[1::2]),
    "constants": lambda one: (one.detach(), one.detach()[:2]),
}


@pytest.mark.parametrize("pair", SHARED.values(), ids=SHARED)
def test_shared_elements_are_found(pair: Callable[[Tensor], tuple[Tensor, Tensor]]) -> None:
    assert overlap(*pair(WHOLE))


@pytest.mark.parametrize("pair", APART.values(), ids=APART)
def test_neighbors_share_nothing(pair: Callable[[Tensor], tuple[Tensor, Tensor]]) -> None:
    assert not overlap(*pair(WHOLE))


ENDS = """
from types import SimpleNamespace

from torch import nn


def part(embed):
    class Part(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = embed

        def get_input_embeddings(self):
            return self.embed

        def forward(self, input_ids):
            return self.embed(input_ids)

    return Part()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.config = SimpleNamespace(tie_word_embeddings=True{more})
        self.shared = nn.Embedding(20, 8)
        self.encoder, self.decoder = part(self.shared), part({decoder})

    def get_input_embeddings(self):
        return self.shared

    def forward(self, input_ids, decoder_input_ids):
        return self.encoder(input_ids).sum(1, keepdim=True) + self.decoder(decoder_input_ids)
"""
UNTIED = ["shared.weight and decoder.embed.weight are two parameters, but config.tie_word_embeddings is True"]
DECODERS = [
    ("self.shared", "", []),
    ("nn.Embedding(20, 8)", "", UNTIED),
    ("nn.Embedding(20, 8)", ", share_encoder_decoder_embeddings=False", []),
    ("nn.Embedding(30, 8)", "", []),
]


@pytest.mark.parametrize(("decoder", "more", "expected"), DECODERS)
def test_the_embeddings_of_an_encoder_and_a_decoder_are_tied(
    decoder: str, more: str, expected: list[str], tmp_path: Path
) -> None:
    source = ENDS.format(decoder=decoder, more=more)
    assert [one.message for one in examined_alone(tmp_path, source, "tying").diagnostics] == expected
