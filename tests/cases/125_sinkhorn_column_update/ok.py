import torch
from torch import nn


def sinkhorn(cost, steps=20, reg=0.1):
    """cost (N, M) -> plan (N, M) with uniform marginals"""
    n, m = cost.shape
    a, b = torch.full((n,), 1.0 / n), torch.full((m,), 1.0 / m)
    kernel = torch.exp(-cost / reg)
    u, v = torch.ones(n), torch.ones(m)
    for _ in range(steps):
        u = a / (kernel @ v).clamp(min=1e-9)
        v = b / (kernel.T @ u).clamp(min=1e-9)
    return u[:, None] * kernel * v[None, :]


class Aligner(nn.Module):
    def __init__(self, src=6, dst=9, dim=12):
        super().__init__()
        self.src, self.dst = nn.Linear(src, dim), nn.Linear(dst, dim)

    def forward(self, x, y):
        cost = torch.cdist(self.src(x), self.dst(y)).pow(2)
        cost = cost / cost.max()
        plan = sinkhorn(cost)
        return (plan * cost).sum(), plan


def main():
    loss, plan = Aligner()(torch.randn(10, 6), torch.randn(14, 9))
    loss.backward()
    print(loss.item(), plan.sum(dim=0).std().item())


if __name__ == "__main__":
    main()
