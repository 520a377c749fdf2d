"""Sizes that parameters and buffers fix, and sizes that only look as if they did."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn


class Positions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pos = nn.Parameter(torch.randn(1, 7, 16))
        self.fc = nn.Linear(16, 4)

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t 4"]:  # planted: pinned-size
        return self.fc(x + self.pos)


class PositionsSliced(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pos = nn.Parameter(torch.randn(1, 7, 16))
        self.fc = nn.Linear(16, 4)

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t 4"]:
        return self.fc(x + self.pos[:, : x.shape[1]])


class PositionsStated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pos = nn.Parameter(torch.randn(1, 7, 16))
        self.fc = nn.Linear(16, 4)

    def forward(self, x: Float[Tensor, "b 7 d"]) -> Float[Tensor, "b 7 4"]:
        return self.fc(x + self.pos)


class PositionsConfigured(nn.Module):
    """The name in the annotation is that of an argument of the constructor."""

    def __init__(self, steps: int = 7) -> None:
        super().__init__()
        self.pos = nn.Parameter(torch.randn(1, steps, 16))

    def forward(self, x: Float[Tensor, "b steps d"]) -> Float[Tensor, "b steps d"]:
        return torch.tanh(x + self.pos)


class PositionsAttribute(nn.Module):
    """The name in the annotation is that of an attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = 7
        self.pos = nn.Parameter(torch.randn(1, 7, 16))

    def forward(self, x: Float[Tensor, "b steps d"]) -> Float[Tensor, "b steps d"]:
        return torch.tanh(x + self.pos)


class PositionsAsserted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pos = nn.Parameter(torch.randn(1, 7, 16))

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
        assert x.shape[1] == self.pos.shape[1]
        return torch.tanh(x + self.pos)


class Derived(nn.Module):
    """The operator that fails has what is computed from the buffers, not the buffers themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(20, 16)
        self.register_buffer("ids", torch.arange(7))
        self.fc = nn.Linear(16, 4)

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t 4"]:  # planted: pinned-size
        return self.fc(x + self.table(self.ids))


class Causal(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(16, 48)
        self.register_buffer("mask", torch.ones(9, 9).tril().bool())

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:  # planted: pinned-size
        q, k, v = self.qkv(x).chunk(3, -1)
        return (q @ k.mT).masked_fill(~self.mask, float("-inf")).softmax(-1) @ v


class CausalSliced(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(16, 48)
        self.register_buffer("mask", torch.ones(9, 9).tril().bool())

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
        q, k, v = self.qkv(x).chunk(3, -1)
        mask = self.mask[: x.shape[1], : x.shape[1]]
        return (q @ k.mT).masked_fill(~mask, float("-inf")).softmax(-1) @ v


class Mixer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Sequential(nn.Linear(7, 12), nn.GELU(), nn.Linear(12, 7))
        self.features = nn.Linear(16, 16)

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:  # planted: pinned-size
        return self.features(x + self.tokens(x.mT).mT)


class Forecast(nn.Module):
    """Steps are the features of the layer."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(24, 3)

    def forward(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b 3"]:
        return self.fc(x)


class Image(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 5, 3, padding=1)
        self.pos = nn.Parameter(torch.randn(1, 5, 8, 12))

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b 5 h w"]:  # planted: pinned-size
        return torch.tanh(self.conv(x) + self.pos)


class ImageResized(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 5, 3, padding=1)
        self.pos = nn.Parameter(torch.randn(1, 5, 8, 12))

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b 5 h w"]:
        return torch.tanh(self.conv(x) + F.interpolate(self.pos, x.shape[-2:]))


class Pooled(nn.Module):
    """Two sizes give the same number of features."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(3, 5, 3, padding=1)
        self.fc = nn.Linear(5 * 6, 4)

    def forward(self, x: Float[Tensor, "b c t"]) -> Float[Tensor, "b 4"]:
        return self.fc(F.max_pool1d(self.conv(x), 2).flatten(1))


class Ambiguous(nn.Module):
    """Either parameter may be the reason."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.randn(7, 16))
        self.shift = nn.Parameter(torch.randn(7, 16))

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:  # planted: pinned-size
        return torch.addcmul(x, self.scale, self.shift)


class Tokens(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.emb = nn.Embedding(50, 16)
        self.pos = nn.Embedding(7, 16)

    def forward(self, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t 16"]:  # planted: pinned-size
        return self.emb(ids) + self.pos.weight
