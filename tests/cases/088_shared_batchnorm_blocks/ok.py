import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 3, padding=1)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.bn2 = nn.BatchNorm2d(2 * width)
        self.pool = nn.MaxPool2d(2)
        self.act = nn.LeakyReLU(0.1)

    def forward(self, x):
        x = self.pool(self.act(self.bn1(self.conv1(x))))
        x = self.pool(self.act(self.bn2(self.conv2(x))))
        return x


class Depth(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.up = nn.Upsample(scale_factor=4, mode="bilinear", align_corners=False)
        self.out = nn.Conv2d(32, 1, 1)

    def forward(self, x):
        return nn.functional.softplus(self.out(self.up(self.encoder(x))))


def main():
    print(Depth()(torch.rand(2, 3, 32, 32)).shape)


if __name__ == "__main__":
    main()
