import torch
import torch.nn.functional as F
from torch import nn


class SpatialPyramidPooling(nn.Module):
    def __init__(self, levels=(1, 2, 4)):
        super().__init__()
        self.levels = levels

    @property
    def cells(self):
        return sum(self.levels)

    def forward(self, x):
        pooled = [F.adaptive_max_pool2d(x, n).flatten(1) for n in self.levels]
        return torch.cat(pooled, dim=1)


class SceneNet(nn.Module):
    def __init__(self, width=16, classes=8):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, width, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2))
        self.spp = SpatialPyramidPooling()
        self.fc = nn.Linear(width * self.spp.cells, classes)

    def forward(self, x):
        return self.fc(self.spp(self.features(x)))


def main():
    net = SceneNet()
    for size in (40, 56):
        print(net(torch.randn(2, 3, size, size)).shape)


if __name__ == "__main__":
    main()
