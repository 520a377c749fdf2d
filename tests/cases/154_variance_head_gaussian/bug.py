import math

import torch
from torch import nn


class Probabilistic(nn.Module):
    def __init__(self, n_in=4, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.Softplus())
        self.mean, self.log_var = nn.Linear(hidden, 1), nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(-1), self.log_var(h)


def nll(model, x, y):
    """x (N, 4), y (N,)"""
    mean, log_var = model(x)
    error = (y - mean).pow(2)
    return 0.5 * (log_var + error / log_var.exp() + math.log(2 * math.pi)).mean()


def main():
    torch.manual_seed(0)
    model = Probabilistic()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    x = torch.randn(40, 4)
    y = x[:, 0] + torch.randn(40) * x[:, 1].abs()
    for step in range(3):
        loss = nll(model, x, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(f"{step}: {loss.item():.3f}")


if __name__ == "__main__":
    main()
