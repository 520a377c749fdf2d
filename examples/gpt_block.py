"""A GPT in small: causal attention, a residual block, tied token embeddings."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Config:
    """The sizes of the model."""

    vocabulary: int = 97
    context: int = 32
    width: int = 48
    heads: int = 4
    depth: int = 2


class Attention(nn.Module):
    """Causal self-attention."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width, bias=False)
        self.out = nn.Linear(config.width, config.width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Mix each position with those before it."""
        batch, time, width = x.shape
        qkv: Tensor = self.qkv(x)
        q, k, v = qkv.view(batch, time, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        result: Tensor = self.out(mixed.transpose(1, 2).reshape(batch, time, width))
        return result


class Block(nn.Module):
    """Attention and a feed-forward net, each around a residual."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.before_attention = nn.LayerNorm(config.width)
        self.attention = Attention(config)
        self.before_feed = nn.LayerNorm(config.width)
        self.feed = nn.Sequential(
            nn.Linear(config.width, 4 * config.width),
            nn.GELU(),
            nn.Linear(4 * config.width, config.width),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Attend, then feed forward; each result is added to what came in."""
        attended: Tensor = x + self.attention(self.before_attention(x))
        fed: Tensor = self.feed(self.before_feed(attended))
        return attended + fed


class GPT(nn.Module):
    """Token ids to next-token logits, and the loss where targets are given."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.tokens = nn.Embedding(config.vocabulary, config.width)
        self.positions = nn.Embedding(config.context, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.depth))
        self.last_norm = nn.LayerNorm(config.width)

    def forward(
        self,
        ids: Tensor,
        targets: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Logits of shape (batch, time, vocabulary), and the loss or None."""
        positions = torch.arange(ids.shape[1], device=ids.device)
        x: Tensor = self.tokens(ids) + self.positions(positions)
        for block in self.blocks:
            x = block(x)
        logits = F.linear(self.last_norm(x), self.tokens.weight)
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def main() -> None:
    """Predict the next token of two short sequences."""
    config = Config()
    ids = torch.randint(config.vocabulary, (2, 11))
    logits, _ = GPT(config)(ids, targets=ids)
    print(tuple(logits.shape))  # noqa: T201


if __name__ == "__main__":
    main()
