"""Results that depend on values at padded positions."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


class Pool(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], attention_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b dim"]:
        y, valid = self.fc(x), attention_mask[..., None]
        total = (y * valid).sum(1)
        # mutant sum_of_all: total = y.sum(1)
        count = valid.sum(1).clamp(min=1)
        mean = total / count
        # mutant mean_of_all: mean = y.mean(1)
        # mutant last_position_is_padded: mean = total / count + y[:, -1] + y[:, 0]
        largest = y.masked_fill(~valid, -1e4).amax(1)
        # mutant maximum_of_all: largest = y.amax(1)
        # mutant masked_by_zero_times: largest = (y + 0 * valid).amax(1)
        spread = ((y - mean[:, None]) * valid).square().sum(1) / count
        # mutant deviation_of_all: spread = y.var(1)
        # mutant center_of_all: spread = ((y - y.mean(1, keepdim=True)) * valid).square().sum(1) / count
        return mean + largest + spread


class Encoder(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x: Float[Tensor, "b t dim"], attention_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b t dim"]:
        q, k, v = self.qkv(x).chunk(3, -1)
        scores = (q @ k.mT).masked_fill(~attention_mask[:, None], -1e4)
        # mutant no_mask: scores = q @ k.mT
        # mutant queries_in_place_of_keys: scores = (q @ k.mT).masked_fill(~attention_mask[..., None], -1e4)
        # mutant penalty_of_one: scores = q @ k.mT - (~attention_mask[:, None]).float()
        # mutant multiplied_scores: scores = (q @ k.mT) * attention_mask[:, None]
        weights = scores.softmax(-1)
        # mutant masked_after_softmax: weights = (q @ k.mT).softmax(-1) * attention_mask[:, None]
        y = self.norm(weights @ v)
        # mutant normalized_over_time: y = self.norm(weights @ v + v.mean(1, keepdim=True))
        return y


class Decoder(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x: Float[Tensor, "b t dim"], attention_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b t dim"]:
        q, k, v = self.qkv(x).chunk(3, -1)
        visible = torch.ones(x.shape[1], x.shape[1], device=x.device).tril() > 0
        scores = (q @ k.mT).masked_fill(~visible, -1e4)
        scores = scores.masked_fill(~attention_mask[:, None], -1e4)
        # mutant causal_mask_alone: scores = scores.masked_fill(~visible, -1e4)
        # mutant mask_is_not_assigned: scores.masked_fill(~attention_mask[:, None], -1e4)
        return scores.softmax(-1) @ v


class PositionDecoder(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.qkv, self.places = nn.Linear(dim, 3 * dim), nn.Embedding(64, dim)

    def forward(self, x: Float[Tensor, "b t dim"], attention_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b t dim"]:
        places = self.places((attention_mask.cumsum(1) - 1).clamp(min=0))
        q, k, v = self.qkv(x + places).chunk(3, -1)
        visible = torch.ones(x.shape[1], x.shape[1], device=x.device).tril() > 0
        scores = (q @ k.mT).masked_fill(~visible, -1e4)
        scores = scores.masked_fill(~attention_mask[:, None], -1e4)
        # mutant positions_alone: scores = scores.masked_fill(~visible, -1e4)
        # mutant penalty_of_two: scores = scores - 2 * (~attention_mask[:, None]).float()
        return scores.softmax(-1) @ v


class ExcludingDecoder(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.qkv, self.places = nn.Linear(dim, 3 * dim), nn.Embedding(64, dim)

    def forward(self, x: Float[Tensor, "b t dim"], padding_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b t dim"]:
        places = self.places(((~padding_mask).cumsum(1) - 1).clamp(min=0))
        q, k, v = self.qkv(x + places).chunk(3, -1)
        visible = torch.ones(x.shape[1], x.shape[1], device=x.device).tril() > 0
        scores = (q @ k.mT).masked_fill(~visible, -1e4)
        scores = scores.masked_fill(padding_mask[:, None], -1e4)
        # mutant queries_are_excluded: scores = scores.masked_fill(padding_mask[..., None], -1e4)
        return scores.softmax(-1) @ v
