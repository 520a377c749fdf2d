"""The architecture of Llama 70B: grouped-query attention, rotary positions, SwiGLU; small, or in full without data.

Under `FakeTensorMode` the full model has shapes and no data: `with FakeTensorMode(): llama_70b()`.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

import shapecheck


@dataclass(frozen=True)
class Config:
    """The sizes of the model; the defaults run anywhere."""

    vocabulary: int = 101
    width: int = 64
    hidden: int = 176
    heads: int = 8
    groups: int = 2
    depth: int = 2
    theta: float = 500_000.0

    @property
    def head(self) -> int:
        """The size of one head."""
        return self.width // self.heads


class RMSNorm(nn.Module):
    """Divides by the root mean square, and scales."""

    def __init__(self, width: int = 64, epsilon: float = 1e-5) -> None:
        super().__init__()
        self.epsilon = epsilon
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
        """In the precision of `x`, with the mean in float32."""
        mean: Float[Tensor, "b t 1"] = x.float().square().mean(dim=-1, keepdim=True)
        return x * torch.rsqrt(mean + self.epsilon).type_as(x) * self.scale


def rotate(x: Float[Tensor, "b h t d"], angles: Float[Tensor, "t d//2"]) -> Float[Tensor, "b h t d"]:
    """Rotate each pair of features by the angle of its position."""
    left, right = x.chunk(2, dim=-1)
    cos, sin = angles.cos().type_as(x), angles.sin().type_as(x)
    return torch.cat([left * cos - right * sin, right * cos + left * sin], dim=-1)


class Attention(nn.Module):
    """Causal attention in which several heads share keys and values."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.width = config.width
        self.head = config.head
        self.repeats = config.heads // config.groups
        self.query = nn.Linear(config.width, config.heads * config.head, bias=False)
        self.key = nn.Linear(config.width, config.groups * config.head, bias=False)
        self.value = nn.Linear(config.width, config.groups * config.head, bias=False)
        self.out = nn.Linear(config.heads * config.head, config.width, bias=False)

    def forward(
        self, x: Float[Tensor, "b t {self.width}"], angles: Float[Tensor, "t {self.head}//2"]
    ) -> Float[Tensor, "b t {self.width}"]:
        """Attend from each position to itself and the earlier ones."""
        q: Float[Tensor, "b heads t {self.head}"] = rotate(self.split(self.query(x)), angles)
        k: Float[Tensor, "b groups t {self.head}"] = rotate(self.split(self.key(x)), angles)
        v: Float[Tensor, "b groups t {self.head}"] = self.split(self.value(x))
        k, v = k.repeat_interleave(self.repeats, dim=1), v.repeat_interleave(self.repeats, dim=1)
        mixed: Float[Tensor, "b heads t {self.head}"] = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        result: Float[Tensor, "b t {self.width}"] = self.out(mixed.transpose(1, 2).flatten(2))
        return result

    def split(self, x: Float[Tensor, "b t w"]) -> Float[Tensor, "b w//{self.head} t {self.head}"]:
        """Split the features into heads."""
        batch, time, width = x.shape
        return x.reshape(batch, time, width // self.head, self.head).transpose(1, 2)


class FeedForward(nn.Module):
    """SwiGLU: one half gates the other."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.hidden = config.hidden
        self.gate = nn.Linear(config.width, config.hidden, bias=False)
        self.up = nn.Linear(config.width, config.hidden, bias=False)
        self.down = nn.Linear(config.hidden, config.width, bias=False)

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
        """Transform each position separately."""
        hidden: Float[Tensor, "b t {self.hidden}"] = F.silu(self.gate(x)) * self.up(x)
        result: Float[Tensor, "b t d"] = self.down(hidden)
        return result


class Block(nn.Module):
    """Attention and a feed-forward network, each with a residual connection."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.before_attention = RMSNorm(config.width)
        self.attention = Attention(config)
        self.before_feed = RMSNorm(config.width)
        self.feed = FeedForward(config)

    def forward(self, x: Float[Tensor, "b t d"], angles: Float[Tensor, "t half"]) -> Float[Tensor, "b t d"]:
        """Attend, then feed forward; add each result to its input."""
        attended: Float[Tensor, "b t d"] = x + self.attention(self.before_attention(x), angles)
        fed: Float[Tensor, "b t d"] = self.feed(self.before_feed(attended))
        return attended + fed


class Llama(nn.Module):
    """Token ids to next-token logits."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.vocabulary, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.depth))
        self.norm = RMSNorm(config.width)
        self.logits = nn.Linear(config.width, config.vocabulary, bias=False)

    def forward(self, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t {self.config.vocabulary}"]:
        """Logits for each position."""
        x: Float[Tensor, "b t d"] = self.tokens(ids)
        angles = self.angles(ids.shape[1], x.device)
        for block in self.blocks:
            x = block(x, angles)
        logits: Float[Tensor, "b t {self.config.vocabulary}"] = self.logits(self.norm(x))
        return logits

    def angles(self, time: int, device: torch.device) -> Float[Tensor, "{time} {self.config.head}//2"]:
        """The angle by which `rotate` turns each pair of features, by position."""
        head = self.config.head
        exponents = torch.arange(0, head, 2, device=device) / head
        return torch.arange(time, device=device)[:, None] * self.config.theta**-exponents


@shapecheck.case(device="fake")
def llama_70b() -> Llama:
    """The model with its 80 blocks and 70 billion parameters."""
    return Llama(Config(vocabulary=128_256, width=8192, hidden=28_672, heads=64, groups=8, depth=80))


def main() -> None:
    """Predict the next token of two short sequences with a small model."""
    config = Config()
    ids = torch.randint(config.vocabulary, (2, 13))
    print(tuple(Llama(config)(ids).shape))


if __name__ == "__main__":
    main()
