import torch
from torch import nn

QUANTILES = (0.1, 0.5, 0.9)


def pinball(pred, target, q):
    """pred (N, Q), target (N,), q (Q,)"""
    err = target.unsqueeze(-1) - pred
    return torch.maximum(q * err, (q - 1) * err).mean()


def reference(pred, target, q):
    total = 0.0
    for i in range(pred.shape[0]):
        for j in range(pred.shape[1]):
            e = target[i] - pred[i, j]
            total = total + torch.maximum(q[j] * e, (q[j] - 1) * e)
    return total / pred.numel()


class QuantileNet(nn.Module):
    def __init__(self, n_in=5):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, 24), nn.ELU())
        self.heads = nn.ModuleList([nn.Linear(24, 1) for _ in QUANTILES])

    def forward(self, x):
        h = self.trunk(x)
        return torch.cat([head(h) for head in self.heads], dim=1)


def main():
    x = torch.randn(14, 5)
    y = x.sum(1) + torch.randn(14)
    loss = pinball(QuantileNet()(x), y, torch.tensor(QUANTILES))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
