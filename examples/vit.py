"""A small vision transformer: patches, explicit attention, a class token."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn


@dataclass(frozen=True)
class Config:
    """The sizes of the model."""

    height: int = 24
    width: int = 32
    patch: int = 8
    dim: int = 36
    heads: int = 3
    depth: int = 2
    classes: int = 10


class Patches(nn.Module):
    """Cuts images into patches and embeds each."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.height = config.height
        self.width = config.width
        self.patch = config.patch
        self.embed = nn.Linear(3 * config.patch * config.patch, config.dim)

    def forward(
        self, images: Float[Tensor, "b 3 {self.height} {self.width}"]
    ) -> Float[Tensor, "b ({self.height}//{self.patch})*({self.width}//{self.patch}) {self.embed.out_features}"]:
        """One vector per patch, row by row."""
        b, c, h, w = images.shape
        p = self.patch
        squares = images.reshape(b, c, h // p, p, w // p, p)
        grid: Float[Tensor, "b {self.height}//{self.patch} columns 3 {self.patch} {self.patch}"] = squares.permute(
            0, 2, 4, 1, 3, 5
        )
        patches: Float[Tensor, "b n 3*{self.patch}*{self.patch}"] = grid.flatten(3).flatten(1, 2)
        result: Float[Tensor, "b n d"] = self.embed(patches)
        return result


class Attention(nn.Module):
    """Self-attention over all patches."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.heads = config.heads
        self.scale = (config.dim // config.heads) ** -0.5
        self.qkv = nn.Linear(config.dim, 3 * config.dim)
        self.out = nn.Linear(config.dim, config.dim)

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        """Attend from each patch to all patches of its image."""
        b, n, d = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        scores: Float[Tensor, "b {self.heads} n n"] = (q @ k.transpose(-2, -1)) * self.scale
        weights = scores.softmax(dim=-1)
        mixed: Float[Tensor, "b {self.heads} n d//{self.heads}"] = weights @ v
        heads_last: Float[Tensor, "b n {self.heads} _"] = mixed.transpose(1, 2)
        result: Float[Tensor, "b n d"] = self.out(heads_last.contiguous().view(b, n, d))
        return result


class Block(nn.Module):
    """Attention and a feed-forward network, each with a residual connection."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.before_attention = nn.LayerNorm(config.dim)
        self.attention = Attention(config)
        self.before_feed = nn.LayerNorm(config.dim)
        self.feed = nn.Sequential(
            nn.Linear(config.dim, 4 * config.dim),
            nn.GELU(),
            nn.Linear(4 * config.dim, config.dim),
        )

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        """Attend, then feed forward; add each result to its input."""
        attended: Float[Tensor, "b n d"] = x + self.attention(self.before_attention(x))
        fed: Float[Tensor, "b n d"] = self.feed(self.before_feed(attended))
        return attended + fed


class ViT(nn.Module):
    """Images of one size to class scores."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.height = config.height
        self.width = config.width
        self.patches = Patches(config)
        self.class_token = nn.Parameter(torch.zeros(1, 1, config.dim))
        patches = (config.height // config.patch) * (config.width // config.patch)
        self.positions = nn.Parameter(torch.randn(patches + 1, config.dim) * 0.02)
        self.blocks = nn.Sequential(*(Block(config) for _ in range(config.depth)))
        self.norm = nn.LayerNorm(config.dim)
        self.head = nn.Linear(config.dim, config.classes)

    def forward(
        self, images: Float[Tensor, "b 3 {self.height} {self.width}"]
    ) -> Float[Tensor, "b {self.head.out_features}"]:
        """The scores of each image, from its class token."""
        patches: Float[Tensor, "b n d"] = self.patches(images)
        tokens: Float[Tensor, "b 1 d"] = self.class_token.expand(patches.shape[0], -1, -1)
        x: Float[Tensor, "b n+1 d"] = torch.cat([tokens, patches], dim=1) + self.positions
        x = self.blocks(x)
        first: Float[Tensor, "b d"] = self.norm(x)[:, 0]
        scores: Float[Tensor, "b classes"] = self.head(first)
        return scores


def main() -> None:
    """Classify two random images."""
    config = Config()
    scores = ViT(config)(torch.randn(2, 3, config.height, config.width))
    print(tuple(scores.shape))


if __name__ == "__main__":
    main()
