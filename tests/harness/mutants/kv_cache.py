"""A decoder whose cache of keys and values is used in another way than a full call."""

import math
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn


class Decoder(nn.Module):
    def __init__(self, vocabulary: int = 50, dim: int = 16) -> None:
        super().__init__()
        self.embed, self.places = nn.Embedding(vocabulary, dim), nn.Embedding(128, dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.head = nn.Linear(dim, vocabulary)

    def forward(
        self, input_ids: Int[Tensor, "b t"], past_key_values: Any = None, use_cache: bool = False
    ) -> dict[str, Any]:
        past, now = past_key_values, torch.arange(input_ids.shape[1], device=input_ids.device)
        before = 0 if past is None else past[0].shape[1]
        places = now + before
        # mutant positions_from_zero: places = now
        # mutant positions_one_too_low: places = now + max(before - 1, 0)
        # mutant positions_one_too_high: places = now + before + (past is not None)
        # mutant same_position_for_all: places = now.clamp(max=0) + before if past is not None else now
        q, k, v = self.qkv(self.embed(input_ids) + self.places(places)).chunk(3, -1)
        if past is not None:
            k, v = torch.cat((past[0], k), 1), torch.cat((past[1], v), 1)
            # mutant new_keys_first: k, v = torch.cat((k, past[0]), 1), torch.cat((v, past[1]), 1)
            # mutant values_in_another_order: k, v = torch.cat((past[0], k), 1), torch.cat((v, past[1]), 1)
            # mutant first_position_dropped: k, v = torch.cat((past[0][:, 1:], k), 1), torch.cat((past[1][:, 1:], v), 1)
            # mutant keys_normalized_again: k, v = torch.cat((past[0].tanh(), k), 1), torch.cat((past[1], v), 1)
        ones = torch.ones(q.shape[1], k.shape[1], device=q.device)
        visible = ones.tril(before) > 0
        # mutant mask_of_a_first_call: visible = ones.tril() > 0
        # mutant all_visible_with_cache: visible = ones.tril(2 * before) > 0
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~visible, -math.inf)
        # mutant scaled_by_length: scores = (q @ k.mT / math.sqrt(q.shape[1])).masked_fill(~visible, -math.inf)
        logits = self.head(scores.softmax(-1) @ v)
        kept = k, v
        # mutant only_the_last_keys_kept: kept = k[:, before:], v[:, before:]
        # mutant embeddings_kept_as_values: kept = k, k
        return {"logits": logits, "past_key_values": kept} if use_cache else {"logits": logits}
