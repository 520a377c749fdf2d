import torch
from torch import nn


class ChannelShuffle(nn.Module):
    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, x):
        b, c, h, w = x.size()
        per_group = c / self.groups
        x = x.view(b, self.groups, per_group, h, w)
        return x.transpose(1, 2).reshape(b, c, h, w)


class ShuffleBlock(nn.Module):
    def __init__(self, channels=24, groups=3):
        super().__init__()
        self.compress = nn.Conv2d(channels, channels, 1, groups=groups)
        self.shuffle = ChannelShuffle(groups)
        self.depthwise = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)

    def forward(self, x):
        y = self.depthwise(self.shuffle(torch.relu(self.compress(x))))
        return torch.relu(x + y)


def main():
    block = ShuffleBlock()
    print(block(torch.randn(2, 24, 10, 10)).shape)


if __name__ == "__main__":
    main()
