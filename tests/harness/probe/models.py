"""Small models of the usual kinds, each with an input."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class GPTBlock(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        b, t, c = x.shape
        parts = self.qkv(self.before(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(*parts, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(b, t, c))
        return x + self.down(F.gelu(self.up(self.between(x))))


class GPT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(50, 16)
        self.blocks = nn.Sequential(GPTBlock(16, 2), GPTBlock(16, 2))
        self.head = nn.Linear(16, 50, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.head(self.blocks(self.tokens(tokens)))


class Residual(nn.Module):
    def __init__(self, inner: int, outer: int, stride: int) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(inner, outer, 3, stride, 1), nn.Conv2d(outer, outer, 3, 1, 1)
        self.norms = nn.ModuleList([nn.BatchNorm2d(outer), nn.BatchNorm2d(outer)])
        self.short = nn.Conv2d(inner, outer, 1, stride)

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norms[0](self.first(x)))
        return F.relu(self.norms[1](self.second(y)) + self.short(x))


def resnet() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 8, 7, 2, 3), nn.ReLU(), Residual(8, 8, 1), Residual(8, 16, 2),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10),
    )  # fmt: skip


class ViT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 4, 4)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 2)
        self.head = nn.Linear(16, 10)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.encoder(self.patches(x).flatten(2).transpose(1, 2)).mean(1))


class Tagger(nn.Module):
    def __init__(self, kind: type[nn.RNNBase] = nn.LSTM, both: bool = False) -> None:
        super().__init__()
        self.tokens = nn.Embedding(50, 12)
        self.recurrent = kind(12, 20, 2, batch_first=True, bidirectional=both)
        self.head = nn.Linear(40 if both else 20, 5)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.head(self.recurrent(self.tokens(tokens))[0])


def upscale() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(8, 8, 3, groups=4), nn.ConvTranspose2d(8, 6, 4, 2, groups=2), nn.Conv2d(6, 6, 3, dilation=2)
    )


class Case(NamedTuple):
    make: Callable[[], nn.Module]
    inputs: Callable[[], Tensor]


def tokens() -> Tensor:
    return torch.randint(0, 50, (3, 7))


def images() -> Tensor:
    return torch.randn(2, 3, 16, 16)


CASES = {
    "GPT": Case(GPT, tokens),
    "ResNet": Case(resnet, images),
    "ViT": Case(ViT, images),
    "LSTM": Case(Tagger, tokens),
    "bidirectional LSTM": Case(lambda: Tagger(both=True), tokens),
    "GRU": Case(lambda: Tagger(nn.GRU), tokens),
    "groups and transposed": Case(upscale, lambda: torch.randn(2, 8, 9, 9)),
}
