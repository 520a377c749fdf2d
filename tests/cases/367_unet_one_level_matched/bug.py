import torch
import torch.nn.functional as F
from torch import nn


def double_conv(wide, narrow):
    return nn.Sequential(
        nn.Conv2d(wide, narrow, 3, padding=1),
        nn.GroupNorm(4, narrow),
        nn.SiLU(),
        nn.Conv2d(narrow, narrow, 3, padding=1),
        nn.GroupNorm(4, narrow),
        nn.SiLU(),
    )


class Bottleneck(nn.Module):
    """Global context at a quarter of the size, added to the features."""

    def __init__(self, width):
        super().__init__()
        self.context = nn.Sequential(nn.AvgPool2d(4), nn.Conv2d(width, width, 1), nn.SiLU())

    def forward(self, x):
        context = F.interpolate(self.context(x), size=x.shape[-2:], mode="bilinear", align_corners=False)
        return x + context


class UpBlock(nn.Module):
    def __init__(self, wide, narrow):
        super().__init__()
        self.up = nn.ConvTranspose2d(wide, narrow, 2, stride=2)
        self.conv = double_conv(2 * narrow, narrow)

    def forward(self, x, skip):
        x = self.up(x)
        return self.conv(torch.cat([skip, x], dim=1))


class VesselSegmenter(nn.Module):
    def __init__(self, channels=1, width=8):
        super().__init__()
        self.stem = double_conv(channels, width)
        self.down1 = nn.Sequential(nn.MaxPool2d(2), double_conv(width, 2 * width))
        self.down2 = nn.Sequential(nn.MaxPool2d(2), double_conv(2 * width, 4 * width))
        self.context = Bottleneck(4 * width)
        self.up2, self.up1 = UpBlock(4 * width, 2 * width), UpBlock(2 * width, width)
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, scans):
        full = self.stem(scans)
        half = self.down1(full)
        quarter = self.context(self.down2(half))
        return self.head(self.up1(self.up2(quarter, half), full))


if __name__ == "__main__":
    model = VesselSegmenter()
    print(model(torch.rand(2, 1, 32, 48)).shape)
