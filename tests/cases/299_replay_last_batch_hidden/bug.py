from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class AgentConfig:
    obs_dim: int = 6
    actions: int = 3
    hidden: int = 32
    batch_size: int = 16
    lr: float = 5e-4


class RecurrentQ(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.encoder = nn.Sequential(nn.Linear(cfg.obs_dim, cfg.hidden), nn.ReLU())
        self.cell = nn.GRUCell(cfg.hidden, cfg.hidden)
        self.value = nn.Linear(cfg.hidden, 1)
        self.advantage = nn.Linear(cfg.hidden, cfg.actions)

    def start(self, batch_size):
        return self.value.weight.new_zeros(batch_size, self.cfg.hidden)

    def step(self, obs, h):
        h = self.cell(self.encoder(obs), h)
        adv = self.advantage(h)
        return self.value(h) + adv - adv.mean(dim=-1, keepdim=True), h

    def unroll(self, observations, h):
        qs = []
        for t in range(observations.shape[1]):
            q, h = self.step(observations[:, t], h)
            qs.append(q)
        return torch.stack(qs, dim=1)


class Learner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = RecurrentQ(cfg)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)

    def update(self, obs, actions, returns):
        h = self.net.start(self.cfg.batch_size)
        q = self.net.unroll(obs, h)
        chosen = q.gather(-1, actions.unsqueeze(-1)).squeeze(-1)
        loss = (chosen - returns).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.detach()


def episodes(cfg, n=50, steps=7):
    obs = torch.randn(n, steps, cfg.obs_dim)
    actions = torch.randint(0, cfg.actions, (n, steps))
    returns = torch.randn(n, steps).flip(1).cumsum(1).flip(1)
    return TensorDataset(obs, actions, returns)


def main():
    cfg = AgentConfig()
    learner = Learner(cfg)
    loader = DataLoader(episodes(cfg), batch_size=cfg.batch_size, shuffle=True)
    print([float(learner.update(*batch)) for batch in loader])


if __name__ == "__main__":
    main()
