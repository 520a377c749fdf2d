from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn


@dataclass
class DynamicsConfig:
    state: int = 5
    action: int = 2
    members: int = 4
    hidden: List[int] = field(default_factory=lambda: [24, 24])


class EnsembleLinear(nn.Module):
    def __init__(self, members, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(members, n_in, n_out) / n_in**0.5)
        self.bias = nn.Parameter(torch.zeros(members, 1, n_out))

    def forward(self, x):
        return torch.baddbmm(self.bias, x, self.weight)


class Normalizer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("std", torch.ones(width))

    def fit(self, data):
        self.mean.copy_(data.mean(0))
        self.std.copy_(data.std(0).clamp(min=1e-6))

    def forward(self, x):
        return (x - self.mean) / self.std


class Dynamics(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.normalizer = Normalizer(cfg.state + cfg.action)
        widths = [cfg.state + cfg.action, *cfg.hidden, 2 * cfg.state]
        self.layers = nn.ModuleList([EnsembleLinear(cfg.members, a, b) for a, b in zip(widths, widths[1:])])

    def forward(self, state, action):
        x = self.normalizer(torch.cat([state, action], dim=-1))
        x = x.unsqueeze(0)
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i + 1 < len(self.layers):
                x = nn.functional.silu(x)
        mean, log_std = x.chunk(2, dim=-1)
        return state + mean, log_std.clamp(-5, 1)

    def nll(self, state, action, following):
        mean, log_std = self(state, action)
        return (((mean - following) / log_std.exp()).pow(2) / 2 + log_std).sum(-1).mean()


def transitions(cfg, count):
    state, action = torch.randn(count, cfg.state), torch.randn(count, cfg.action)
    following = state + 0.1 * action.sum(-1, keepdim=True)
    return state, action, following


def fit(model, data, epochs=2, size=32):
    model.normalizer.fit(torch.cat(data[:2], dim=-1))
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for index in torch.randperm(len(data[0])).split(size):
            loss = model.nll(*(d[index] for d in data))
            opt.zero_grad()
            loss.backward()
            opt.step()
    return loss.item()


if __name__ == "__main__":
    config = DynamicsConfig()
    print(fit(Dynamics(config), transitions(config, 100)))
