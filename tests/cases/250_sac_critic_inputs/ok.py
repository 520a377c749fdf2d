from __future__ import annotations

import copy
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class SACConfig:
    obs_dim: int = 11
    act_dim: int = 3
    hidden: list[int] = field(default_factory=lambda: [32, 32])
    tau: float = 0.005
    alpha: float = 0.2


def mlp(sizes: list[int], act=nn.ReLU) -> nn.Sequential:
    layers: list[nn.Module] = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i < len(sizes) - 2:
            layers.append(act())
    return nn.Sequential(*layers)


class Actor(nn.Module):
    def __init__(self, cfg: SACConfig):
        super().__init__()
        self.net = mlp([cfg.obs_dim, *cfg.hidden, 2 * cfg.act_dim])

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        mean, log_std = self.net(obs).chunk(2, dim=-1)
        dist = torch.distributions.Normal(mean, log_std.clamp(-5, 2).exp())
        u = dist.rsample()
        logp = dist.log_prob(u) - 2 * (0.6931 - u - F.softplus(-2 * u))
        return torch.tanh(u), logp.sum(-1)


class TwinQ(nn.Module):
    def __init__(self, cfg: SACConfig):
        super().__init__()
        n_in = cfg.obs_dim + cfg.act_dim
        self.q1, self.q2 = (mlp([n_in, *cfg.hidden, 1]) for _ in range(2))

    def forward(self, obs: Tensor, act: Tensor) -> tuple[Tensor, Tensor]:
        x = torch.cat([obs, act], dim=-1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


class SAC:
    def __init__(self, cfg: SACConfig = SACConfig()):
        self.cfg, self.actor, self.critic = cfg, Actor(cfg), TwinQ(cfg)
        self.target = copy.deepcopy(self.critic)

    def critic_loss(self, batch: dict[str, Tensor]) -> Tensor:
        with torch.no_grad():
            act, logp = self.actor(batch["next_obs"])
            q1, q2 = self.target(batch["next_obs"], act)
            y = batch["rew"] + 0.99 * (1 - batch["done"]) * (torch.min(q1, q2) - self.cfg.alpha * logp)
        return sum(F.mse_loss(q, y) for q in self.critic(batch["obs"], batch["act"]))


def main():
    n, cfg = 16, SACConfig()
    batch = {
        "obs": torch.randn(n, cfg.obs_dim), "next_obs": torch.randn(n, cfg.obs_dim),
        "act": torch.rand(n, cfg.act_dim) * 2 - 1, "rew": torch.randn(n), "done": torch.zeros(n),
    }
    SAC(cfg).critic_loss(batch).backward()


if __name__ == "__main__":
    main()
