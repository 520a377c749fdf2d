import torch
from torch import nn


def conv_norm(wide, narrow, kernel, stride=1):
    return nn.Sequential(
        nn.Conv2d(wide, narrow, kernel, stride=stride, padding=kernel // 2, bias=False), nn.BatchNorm2d(narrow)
    )


class Shortcut(nn.Module):
    """Averages before the projection, so that no pixel is skipped."""

    def __init__(self, wide, narrow, stride):
        super().__init__()
        self.pool = nn.AvgPool2d(stride) if stride > 1 else nn.Identity()
        self.project = conv_norm(wide, narrow, 1)

    def forward(self, x):
        return self.project(self.pool(x))


class ResidualBlock(nn.Module):
    def __init__(self, wide, narrow, stride=1):
        super().__init__()
        self.path = nn.Sequential(conv_norm(wide, narrow, 3, stride), nn.ReLU(), conv_norm(narrow, narrow, 3))
        self.shortcut = Shortcut(wide, narrow, stride)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.path(x) + self.shortcut(x))


class PlateReader(nn.Module):
    def __init__(self, characters=36, width=8):
        super().__init__()
        self.stem = nn.Sequential(conv_norm(1, width, 3), nn.ReLU())
        self.blocks = nn.Sequential(ResidualBlock(width, 2 * width, 2), ResidualBlock(2 * width, 4 * width, 1))
        self.head = nn.Linear(4 * width, characters)

    def forward(self, plates):
        x = self.blocks(self.stem(plates))
        return self.head(x.mean(dim=2).transpose(1, 2))


def main():
    torch.manual_seed(0)
    model = PlateReader()
    print(model(torch.rand(2, 1, 24, 96)).shape)


if __name__ == "__main__":
    main()
