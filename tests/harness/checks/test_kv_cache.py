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


STATEFUL = """
import torch
from jaxtyping import Int
from torch import Tensor, nn


class Recurrent(nn.Module):
    _is_stateful = True

    def __init__(self, vocabulary: int = 20, dim: int = 8) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim)

    def forward(
        self, input_ids: Int[Tensor, "b t"], attention_mask: Tensor | None = None, cache=None, use_cache: bool = False
    ) -> dict:
        hidden = self.embed(input_ids)
        if attention_mask is not None:
            hidden = hidden * attention_mask[..., None]
        if cache is not None and hidden.shape[1] == 1:
            hidden = DECAY * cache[:, None] + hidden
        else:
            states = [hidden[:, 0]]
            for step in range(1, hidden.shape[1]):
                states.append(0.5 * states[-1] + hidden[:, step])
            hidden = torch.stack(states, 1)
        return {"hidden": hidden, "cache": hidden[:, -1]}
"""


@pytest.mark.parametrize(("decay", "codes"), [("0.5", set()), ("0.25", {"cache-mismatch"})])
def test_a_state_is_continued_by_one_position_without_a_mask(decay: str, codes: set[str], tmp_path: Path) -> None:
    source = STATEFUL.replace("DECAY", decay)
    assert codes_found(Mutant("kv_cache", f"state_{decay[2:]}", "Recurrent", source), tmp_path, CHECK) == codes


TRANSLATOR = """
import torch
from jaxtyping import Int
from torch import Tensor, nn


class Translator(nn.Module):
    def __init__(self, vocabulary: int = 20, dim: int = 8) -> None:
        super().__init__()
        self.embed, self.places = nn.Embedding(vocabulary, dim), nn.Embedding(64, dim)

    def forward(
        self,
        input_ids: Int[Tensor, "b t"],
        decoder_input_ids: Int[Tensor, "b s"],
        past_key_values: Tensor | None = None,
        use_cache: bool = False,
    ) -> dict:
        first = 0 if past_key_values is None else past_key_values.shape[1]
        LIMIT
        places = torch.arange(decoder_input_ids.shape[1], device=input_ids.device) + FIRST
        hidden = self.embed(decoder_input_ids) + self.places(places) + self.embed(input_ids).mean(1, keepdim=True)
        if past_key_values is not None:
            hidden = torch.cat((past_key_values, hidden), 1)
        means = hidden.cumsum(1) / torch.arange(1, hidden.shape[1] + 1, device=hidden.device)[:, None]
        return {"logits": means[:, -decoder_input_ids.shape[1] :], "past_key_values": hidden}
"""
ONE_BY_ONE = "assert past_key_values is None or decoder_input_ids.shape[1] == 1, 'one position at a time'"


@pytest.mark.parametrize("limit", ["", ONE_BY_ONE], ids=["any", "one-by-one"])
@pytest.mark.parametrize(("first", "codes"), [("first", set()), ("0 * first", {"cache-mismatch"})])
def test_the_tokens_of_a_decoder_are_cut(limit: str, first: str, codes: set[str], tmp_path: Path) -> None:
    source = TRANSLATOR.replace("LIMIT", limit).replace("FIRST", first)
    name = f"decoder_{len(limit)}_{len(first)}"
    assert codes_found(Mutant("kv_cache", name, "Translator", source), tmp_path, CHECK) == codes
