"""Values that are not finite: divisions, roots and logarithms at the edge of their domain."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        q, k, v = self.qkv(x).chunk(3, -1)
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        # mutant first_position_sees_nothing: future = torch.ones(x.shape[1], x.shape[1], device=x.device).triu() > 0
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(future, -math.inf)
        # mutant mask_by_multiplication: scores = q @ k.mT + future * -math.inf
        weights = scores.softmax(-1)
        # mutant softmax_without_maximum: weights = (500 * scores).exp() / (500 * scores).exp().sum(-1, keepdim=True)
        return weights @ v


class Angles(nn.Module):
    """Distances and angles between all pairs, each with itself too."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b n n"]:
        y = self.fc(x)
        gaps = (y[:, :, None] - y[:, None]).square().sum(-1)
        distances = (gaps + 1e-6).sqrt()
        # mutant root_of_zero: distances = gaps.sqrt()
        # mutant power_of_zero: distances = gaps**0.5
        # mutant logarithm_of_zero: distances = gaps.log()
        # mutant inverse_of_zero: distances = 1 / gaps
        return distances


class Gate(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        y = self.fc(x)
        roots = torch.where(y > 0, y.clamp(min=1e-6).sqrt(), y)
        # mutant root_behind_where: roots = torch.where(y > 0, y.sqrt(), y)
        soft = F.softplus(200 * y)
        # mutant exponential_overflows: soft = (1 + (200 * y).exp()).log()
        scaled = (y - y.mean(1, keepdim=True)) / (y.std(1, keepdim=True) + 1e-6)
        # mutant deviation_of_one_value: scaled = y / y[:, :1].std(1, keepdim=True)
        share = F.log_softmax(100 * y, 1)
        # mutant logarithm_of_softmax: share = (1000 * y).softmax(1).log()
        return roots + soft + scaled + share
