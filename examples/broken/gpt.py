"""`examples/gpt.py` with an error: a sequence length is hard-coded."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
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
    dropout: float = 0.1


class Attention(nn.Module):
    """Causal self-attention."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.width = config.width
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width, bias=False)
        self.out = nn.Linear(config.width, config.width, bias=False)

    def forward(self, x: Float[Tensor, "b t {self.width}"]) -> Float[Tensor, "b t {self.width}"]:
        """Attend from each position to itself and the earlier ones."""
        qkv: Float[Tensor, "b t 3*{self.width}"] = self.qkv(x)
        q, k, v = (self.split(part) for part in qkv.chunk(3, dim=-1))
        mixed: Float[Tensor, "b h t d"] = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        heads_last: Float[Tensor, "b t {self.heads} d"] = mixed.transpose(1, 2)
        result: Float[Tensor, "b t {self.width}"] = self.out(heads_last.reshape(x.shape))
        return result

    def split(self, x: Float[Tensor, "b t w"]) -> Float[Tensor, "b {self.heads} t w//{self.heads}"]:
        """Split the features into heads."""
        batch, time, width = x.shape
        return x.reshape(batch, time, self.heads, width // self.heads).transpose(1, 2)


class FeedForward(nn.Module):
    """Two linear layers, the hidden one four times as wide."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.up = nn.Linear(config.width, 4 * config.width)
        self.down = nn.Linear(4 * config.width, config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
        """Transform each position separately."""
        hidden: Float[Tensor, "b t 4*d"] = F.gelu(self.up(x))
        result: Float[Tensor, "b t d"] = self.dropout(self.down(hidden))
        return result


class Block(nn.Module):
    """Attention and a feed-forward network, each with a residual connection."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.before_attention = nn.LayerNorm(config.width)
        self.attention = Attention(config)
        self.before_feed = nn.LayerNorm(config.width)
        self.feed = FeedForward(config)

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
        """Attend, then feed forward; add each result to its input."""
        attended: Float[Tensor, "b t d"] = x + self.attention(self.before_attention(x))
        fed: Float[Tensor, "b t d"] = self.feed(self.before_feed(attended))
        return attended + fed


class GPT(nn.Module):
    """Token ids to next-token logits, and the loss if targets are given."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.vocabulary = config.vocabulary
        self.tokens = nn.Embedding(config.vocabulary, config.width)
        self.positions = nn.Embedding(config.context, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.depth))
        self.last_norm = nn.LayerNorm(config.width)

    def forward(
        self,
        ids: Int[Tensor, "b t"],
        targets: Int[Tensor, "b t"] | None = None,
    ) -> tuple[Float[Tensor, "b t {self.vocabulary}"], Float[Tensor, ""] | None]:
        """Logits for each position, and the loss or None."""
        positions: Int[Tensor, "t"] = torch.arange(11, device=ids.device)  # planted: shape-mismatch
        x: Float[Tensor, "b t d"] = self.tokens(ids) + self.positions(positions)
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
    logits, loss = GPT(config)(ids, targets=ids)
    assert loss is not None
    torch.autograd.backward(loss)
    print(tuple(logits.shape))


if __name__ == "__main__":
    main()
