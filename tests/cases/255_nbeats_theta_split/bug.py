from typing import Literal

import torch
from torch import nn


def seasonality(theta, t):
    p = theta.size(-1)
    p1, p2 = (p // 2, p // 2) if p % 2 == 0 else (p // 2, p // 2 + 1)
    s1 = torch.stack([torch.cos(2 * torch.pi * i * t) for i in range(p1)])
    s2 = torch.stack([torch.sin(2 * torch.pi * i * t) for i in range(p2)])
    return theta.mm(torch.cat([s1, s2]))


def trend(theta, t):
    basis = torch.stack([t ** i for i in range(theta.size(-1))])
    return theta.mm(basis)


class Block(nn.Module):
    def __init__(self, kind: Literal["trend", "seasonality"], units, thetas, back, fore):
        super().__init__()
        self.basis = {"trend": trend, "seasonality": seasonality}[kind]
        self.fc = nn.Sequential(nn.Linear(back, units), nn.ReLU(), nn.Linear(units, units), nn.ReLU())
        self.theta_b, self.theta_f = nn.Linear(units, thetas, bias=False), nn.Linear(units, thetas, bias=False)
        grid = torch.linspace(0, 1, back + fore)
        self.register_buffer("tb", grid[:back])
        self.register_buffer("tf", grid[back:])

    def forward(self, x):
        h = self.fc(x)
        return self.basis(self.theta_b(h), self.tb), self.basis(self.theta_f(h), self.tf)


class NBeats(nn.Module):
    def __init__(self, stacks=(("trend", 3), ("seasonality", 8)), n_blocks=2, units=16, back=20, fore=5):
        super().__init__()
        self.fore = fore
        self.blocks = nn.ModuleList([Block(k, units, p, back, fore) for k, p in stacks for _ in range(n_blocks)])

    def forward(self, x):
        total = x.new_zeros(x.size(0), self.fore)
        for block in self.blocks:
            b, f = block(x)
            x = x - f
            total = total + f
        return total


def main():
    series = torch.sin(torch.arange(0, 60) * 0.3)
    windows = series.unfold(0, 25, 1)
    x, y = windows[:, :20], windows[:, 20:]
    loss = nn.functional.l1_loss(NBeats()(x), y)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
