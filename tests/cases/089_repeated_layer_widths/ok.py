import torch
from torch import nn


class Trunk(nn.Module):
    def __init__(self, n_in=32, width=64, depth=3):
        super().__init__()
        layers = [nn.Linear(n_in, width)] + [nn.Linear(width, width) for _ in range(depth - 1)]
        self.layers = nn.ModuleList(layers)
        self.act = nn.SiLU()

    def forward(self, x):
        for layer in self.layers:
            x = self.act(layer(x))
        return x


class DeepONet(nn.Module):
    def __init__(self, sensors=32, coords=2, width=64):
        super().__init__()
        self.branch = Trunk(sensors, width)
        self.trunk = nn.Sequential(nn.Linear(coords, width), nn.Tanh(), nn.Linear(width, width))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, u, xy):
        return torch.einsum("bw,pw->bp", self.branch(u), self.trunk(xy)) + self.bias


def main():
    model = DeepONet()
    print(model(torch.randn(5, 32), torch.rand(40, 2)).shape)


if __name__ == "__main__":
    main()
