"""An attention block whose dropout does not end with training."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, dim: int = 16, rate: float = 0.5) -> None:
        super().__init__()
        self.rate, self.drop = rate, nn.Dropout(rate)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        x = F.dropout(x, self.rate, self.training)
        # mutant without_mode: x = F.dropout(x, self.rate)
        # mutant mode_is_constant: x = F.dropout(x, self.rate, training=True)
        # mutant other_mode: x = F.dropout(x, self.rate, training=not self.drop.training)
        # mutant channels_without_mode: x = F.dropout1d(x, self.rate)
        # mutant alpha_without_mode: x = F.alpha_dropout(x, self.rate, True)
        # mutant feature_alpha_without_mode: x = F.feature_alpha_dropout(x, self.rate, training=True)
        q, k, v = self.qkv(x).chunk(3, -1)
        mixed = F.scaled_dot_product_attention(q, k, v, dropout_p=self.rate if self.training else 0.0)
        # mutant rate_of_training: mixed = F.scaled_dot_product_attention(q, k, v, dropout_p=self.rate)
        # mutant rate_by_position: mixed = F.scaled_dot_product_attention(q, k, v, None, self.rate)
        # mutant written_out: mixed = F.dropout((q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1), self.rate) @ v
        return self.out(self.drop(mixed)) + torch.zeros_like(x)
