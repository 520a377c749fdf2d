"""A U-Net with two faults: the mask loses its channel, and the skip is copied."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Double(nn.Module):
    def __init__(self, inside: int, outside: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inside, outside, 3, padding=1)
        self.norm = nn.BatchNorm2d(outside)
        self.second = nn.Conv2d(outside, outside, 3, padding=1)

    def forward(self, x: Float[Tensor, "b i h w"]) -> Float[Tensor, "b o h w"]:
        return self.second(self.norm(self.first(x)).relu())


class UNet(nn.Module):
    def __init__(self, width: int = 16, depth: int = 3) -> None:
        super().__init__()
        widths = [width * 2**level for level in range(depth)]
        self.down = nn.ModuleList(Double(a, b) for a, b in zip([3, *widths], widths))
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ModuleList(Double(b + b, a) for a, b in zip([width, *widths], widths))
        self.head = nn.Conv2d(width, 1, 1)

    def forward(
        self,
        image: Float[Tensor, "b 3 h w"],
        weight: Float[Tensor, "b h w"],
    ) -> Float[Tensor, "b 1 h w"]:
        skips = []
        x = image
        for block in self.down:
            x = block(x)
            skips.append(x.transpose(2, 3).contiguous().transpose(2, 3))
            x = self.pool(x)
        for block in reversed(self.up):
            x = nn.functional.interpolate(x, scale_factor=2)
            x = block(torch.cat([x, skips.pop()], 1))
        scale = float(weight.max().item())
        return self.head(x).squeeze() * weight / scale
