import torch
from torch import nn


class UNet1d(nn.Module):
    def __init__(self, c_in=2, width=8, depth=3):
        super().__init__()
        self.inc = nn.Conv1d(c_in, width, 5, padding=2)
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        for i in range(depth):
            a = width * 2 ** i
            self.down.append(nn.Sequential(nn.Conv1d(a, 2 * a, 4, stride=2, padding=1), nn.GELU()))
            self.up.insert(0, nn.Sequential(nn.ConvTranspose1d(4 * a if i < depth - 1 else 2 * a, a, 4, 2, 1), nn.GELU()))
        self.out = nn.Conv1d(2 * width, c_in, 1)
        self.factor = 2 ** depth

    def forward(self, x):
        n = x.shape[-1]
        skips = [self.inc(x)]
        for down in self.down:
            skips.append(down(skips[-1]))
        x = skips.pop()
        for up in self.up:
            x = torch.cat([up(x), skips.pop()], dim=1)
        return self.out(x)[..., :n]


def main():
    net = UNet1d()
    print(net(torch.randn(2, 2, 64)).shape)
    print(net(torch.randn(2, 2, 100)).shape)


if __name__ == "__main__":
    main()
