from functools import partial

import torch
from torch import nn

conv3 = partial(nn.Conv2d, kernel_size=3, padding=1)


class SubPixelNet(nn.Module):
    def __init__(self, scale: int, channels: int = 3, width: int = 24):
        super().__init__()
        self.head = conv3(channels, width)
        self.body = nn.Sequential(conv3(width, width), nn.PReLU(), conv3(width, width))
        self.tail = conv3(width, channels * scale * 2)
        self.shuffle = nn.PixelShuffle(scale)

    def forward(self, low):
        x = self.head(low)
        x = x + self.body(x)
        return self.shuffle(self.tail(x))


def psnr(a, b):
    mse = torch.mean((a - b) ** 2)
    return -10 * torch.log10(mse)


def main():
    high = torch.rand(2, 3, 36, 36)
    low = nn.functional.avg_pool2d(high, 4)
    net = SubPixelNet(scale=4)
    print(psnr(net(low), high).item())


if __name__ == "__main__":
    main()
