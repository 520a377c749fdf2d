import torch
import torch.nn.functional as F
from torch import nn


class Expert(nn.Sequential):
    def __init__(self, dim, hidden):
        super().__init__(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, dim))


class MoE(nn.Module):
    def __init__(self, dim=16, hidden=32, experts=4, k=2):
        super().__init__()
        self.k = k
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = nn.ModuleList(Expert(dim, hidden) for _ in range(experts))

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, shape[-1])
        weights, chosen = F.softmax(self.gate(x), dim=-1).topk(self.k, dim=-1)
        weights = weights / weights.sum(dim=-1, keepdim=True)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            picked = chosen == i
            out[picked] += weights[picked].unsqueeze(-1) * expert(x[picked])
        return out.view(shape)


def main():
    layer = MoE()
    y = layer(torch.randn(2, 12, 16))
    print(y.shape)


if __name__ == "__main__":
    main()
