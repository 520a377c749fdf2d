import torch
import torch.nn.functional as F
from torch import nn


class Router(nn.Module):
    """Soft assignment of rows to experts."""

    def __init__(self, dim=3, n=5):
        super().__init__()
        self.keys = nn.Parameter(torch.randn(n, dim))
        self.log_temp = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        logits = F.linear(F.normalize(x, dim=-1), F.normalize(self.keys, dim=-1)) * self.log_temp.exp()
        return logits.softmax(dim=-1)


class Mixture(nn.Module):
    def __init__(self, dim=3, n=5):
        super().__init__()
        self.router = Router(dim, n)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(n))

    def forward(self, x):
        p = self.router(x)
        ys = torch.stack([e(x) for e in self.experts], dim=-1)
        return torch.einsum("bdn,bn->bd", ys, p)


if __name__ == "__main__":
    print(Mixture()(torch.randn(6, 3)).shape)
