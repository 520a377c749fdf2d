import torch
import torch.nn.functional as F
from torch import nn


class Expert(nn.Module):
    def __init__(self, dim, mult=4):
        super().__init__()
        self.w1 = nn.Linear(dim, mult * dim, bias=False)
        self.w2 = nn.Linear(mult * dim, dim, bias=False)
        self.w3 = nn.Linear(dim, mult * dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class MoE(nn.Module):
    def __init__(self, dim=24, n_experts=6, k=2):
        super().__init__()
        self.gate = nn.Linear(dim, n_experts, bias=False)
        self.experts = nn.ModuleList(Expert(dim) for _ in range(n_experts))
        self.k = k

    def load_balance(self, probs, picked):
        density = F.one_hot(picked, len(self.experts)).float().sum(1).mean(0)
        return len(self.experts) * (density * probs.mean(0)).sum()

    def forward(self, x):
        shape = x.shape
        tokens = x.reshape(-1, shape[-1])
        probs = self.gate(tokens).softmax(dim=-1)
        weight, picked = torch.topk(probs, self.k, dim=-1)
        weight = weight / weight.sum(-1, keepdim=True)
        every = torch.stack([e(tokens) for e in self.experts], dim=1)
        index = picked.unsqueeze(-1).expand(-1, -1, shape[-1])
        chosen = every.gather(1, index)
        out = (weight * chosen).sum(dim=1)
        return out.view(shape), self.load_balance(probs, picked)


if __name__ == "__main__":
    layer = MoE()
    x = torch.randn(3, 10, 24)
    y, aux = layer(x)
    assert y.shape == x.shape
    (y.pow(2).mean() + 0.01 * aux).backward()
