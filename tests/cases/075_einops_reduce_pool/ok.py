import torch
from einops import reduce
from torch import nn


def mean_pool(x, factor):
    return reduce(x, "b c (h a) (w b2) -> b c h w", "mean", a=factor, b2=factor)


class Encoder(nn.Module):
    def __init__(self, widths=(3, 16, 32)):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv2d(a, b, 3, padding=1) for a, b in zip(widths, widths[1:]))
        self.act = nn.GELU()

    def forward(self, x):
        for conv in self.convs:
            x = mean_pool(self.act(conv(x)), 2)
        return reduce(x, "b c h w -> b c", "max")


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.fc = nn.Linear(32, 4)

    def forward(self, x):
        return self.fc(self.encoder(x))


def main():
    print(Probe()(torch.rand(2, 3, 32, 32)).shape)


if __name__ == "__main__":
    main()
