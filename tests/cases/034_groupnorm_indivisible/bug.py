import torch
from torch import nn

CONFIG = {"in_channels": 4, "base": 64, "mult": [1, 2], "groups": 32}


def norm(channels, groups):
    return nn.GroupNorm(num_groups=groups, num_channels=channels)


class ResBlock(nn.Module):
    def __init__(self, cin, cout, groups):
        super().__init__()
        self.n1, self.c1 = norm(cin, groups), nn.Conv2d(cin, cout, 3, padding=1)
        self.n2, self.c2 = norm(cout, groups), nn.Conv2d(cout, cout, 3, padding=1)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x):
        h = self.c1(torch.nn.functional.silu(self.n1(x)))
        h = self.c2(torch.nn.functional.silu(self.n2(h)))
        return h + self.skip(x)


class LatentNet(nn.Module):
    def __init__(self, in_channels, base, mult, groups):
        super().__init__()
        self.stem = nn.Conv2d(in_channels, base, 3, padding=1)
        widths = [base * m for m in mult]
        self.blocks = nn.ModuleList(
            ResBlock(a, b, groups) for a, b in zip([base] + widths[:-1], widths)
        )

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return x


def main():
    cfg = {**CONFIG, "base": 48}
    print(LatentNet(**cfg)(torch.randn(1, 4, 16, 16)).shape)


if __name__ == "__main__":
    main()
