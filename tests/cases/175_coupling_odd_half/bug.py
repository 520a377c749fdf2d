import math

import torch
from torch import nn


class AffineCoupling(nn.Module):
    def __init__(self, dim, hidden=32, flip=False):
        super().__init__()
        self.flip = flip
        self.d = dim // 2
        cond, free = (dim - self.d, self.d) if flip else (self.d, dim - self.d)
        self.net = nn.Sequential(nn.Linear(self.d, hidden), nn.Tanh(), nn.Linear(hidden, 2 * self.d))

    def forward(self, x):
        a, b = x[:, : self.d], x[:, self.d :]
        if self.flip:
            a, b = b, a
        log_s, t = self.net(a).chunk(2, dim=1)
        log_s = torch.tanh(log_s)
        b = b * log_s.exp() + t
        out = torch.cat((b, a) if self.flip else (a, b), dim=1)
        return out, log_s.sum(dim=1)


class Flow(nn.Module):
    def __init__(self, dim=5, depth=4):
        super().__init__()
        self.steps = nn.ModuleList([AffineCoupling(dim, flip=i % 2 == 1) for i in range(depth)])
        self.dim = dim

    def log_prob(self, x):
        total = x.new_zeros(x.shape[0])
        for step in self.steps:
            x, logdet = step(x)
            total = total + logdet
        base = -0.5 * (x ** 2).sum(1) - 0.5 * self.dim * math.log(2 * math.pi)
        return base + total


def main():
    flow = Flow()
    opt = torch.optim.Adam(flow.parameters(), lr=1e-3)
    data = torch.randn(64, 5) @ torch.randn(5, 5)
    for batch in data.split(16):
        nll = -flow.log_prob(batch).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
    print(nll.item())


if __name__ == "__main__":
    main()
