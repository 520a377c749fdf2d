import torch
import torch.nn.functional as F
from torch import nn


class Refine(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(2 * channels, channels, 3, padding=1),
            nn.LeakyReLU(0.1),
            nn.Conv2d(channels, 2, 3, padding=1),
        )

    def forward(self, a, b):
        return self.body(torch.cat([a, b], dim=1))


class FeaturePyramid(nn.Module):
    def __init__(self, channels, levels):
        super().__init__()
        self.levels = levels
        self.conv = nn.Conv2d(3, channels, 3, padding=1)

    def forward(self, image):
        maps = [self.conv(image)]
        for _ in range(self.levels - 1):
            maps.append(F.interpolate(maps[-1], scale_factor=0.5, mode="bilinear"))
        return maps


class CoarseToFineFlow(nn.Module):
    def __init__(self, channels=8, levels=3):
        super().__init__()
        self.pyramid = FeaturePyramid(channels, levels)
        self.refiners = nn.ModuleList([Refine(channels) for _ in range(levels)])

    def forward(self, first, second):
        maps1, maps2 = self.pyramid(first), self.pyramid(second)
        flow = None
        for level in reversed(range(len(maps1))):
            a, b = maps1[level], maps2[level]
            update = self.refiners[level](a, b)
            if flow is None:
                flow = update
            else:
                up = 2 * F.interpolate(flow, size=a.shape[-2:], mode="bilinear")
                flow = up + update
        return flow


def endpoint_error(pred, target):
    return (pred - target).norm(dim=1).mean()


def batches(n, height=45, width=64):
    for _ in range(n):
        first = torch.rand(2, 3, height, width)
        yield first, first.roll(1, dims=-1), torch.zeros(2, 2, height, width)


def main():
    model = CoarseToFineFlow()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for first, second, target in batches(2):
        loss = endpoint_error(model(first, second), target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())


if __name__ == "__main__":
    main()
