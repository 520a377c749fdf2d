"""The cache of keys and values has one of two names, the same as parameter and in the result."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.harness.run_options import RunOptions
from tests.harness.mutated import Mutant, codes_found

DECODER = """
import torch
from jaxtyping import Int
from torch import Tensor, nn


class Decoder(nn.Module):
    def __init__(self, vocabulary: int = 20, dim: int = 8) -> None:
        super().__init__()
        self.embed, self.places = nn.Embedding(vocabulary, dim), nn.Embedding(64, dim)

    def forward(self, input_ids: Int[Tensor, "b t"], CACHE=None, use_cache: bool = False) -> dict:
        first = 0 if CACHE is None else CACHE.shape[1]
        places = torch.arange(input_ids.shape[1], device=input_ids.device) + FIRST
        hidden = self.embed(input_ids) + self.places(places)
        if CACHE is not None:
            hidden = torch.cat((CACHE, hidden), 1)
        means = hidden.cumsum(1) / torch.arange(1, hidden.shape[1] + 1, device=hidden.device)[:, None]
        return {"logits": means[:, -input_ids.shape[1] :], "CACHE": hidden}
"""
CHECK = RunOptions(checks=("kv_cache",))


@pytest.mark.parametrize("name", ["past_key_values", "cache"])
def test_positions_that_begin_at_zero_again_are_found(name: str, tmp_path: Path) -> None:
    broken = DECODER.replace("CACHE", name).replace("FIRST", "0 * first")
    assert codes_found(Mutant("kv_cache", f"zero_{name}", "Decoder", broken), tmp_path, CHECK) == {"cache-mismatch"}


@pytest.mark.parametrize("name", ["past_key_values", "cache"])
def test_positions_that_continue_are_right(name: str, tmp_path: Path) -> None:
    right = DECODER.replace("CACHE", name).replace("FIRST", "first")
    assert not codes_found(Mutant("kv_cache", f"right_{name}", "Decoder", right), tmp_path, CHECK)
