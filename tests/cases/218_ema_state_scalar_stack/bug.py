import torch
from torch import nn


class PrioritizedBuffer:
    def __init__(self, capacity, obs_dim, alpha=0.6):
        self.obs = torch.zeros(capacity, obs_dim)
        self.act = torch.zeros(capacity, dtype=torch.long)
        self.rew = torch.zeros(capacity)
        self.prio = torch.zeros(capacity)
        self.capacity, self.alpha = capacity, alpha
        self.pos = self.size = 0

    def add(self, obs, act, rew):
        i = self.pos
        self.obs[i], self.act[i], self.rew[i] = obs, act, rew
        self.prio[i] = self.prio.max().clamp(min=1.0)
        self.pos = (i + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, n):
        p = self.prio[: self.size] ** self.alpha
        idx = torch.multinomial(p / p.sum(), n, replacement=True)
        w = (self.size * p[idx] / p.sum()) ** -0.4
        return self.obs[idx], self.act[idx], self.rew[idx], w / w.max(), idx


class Dueling(nn.Module):
    def __init__(self, obs_dim, n_act):
        super().__init__()
        self.trunk = nn.Linear(obs_dim, 32)
        self.value, self.adv = nn.Linear(32, 1), nn.Linear(32, n_act)

    def forward(self, x):
        h = self.trunk(x).relu()
        a = self.adv(h)
        return self.value(h) + a - a.mean(dim=1, keepdim=True)


def main():
    buf = PrioritizedBuffer(64, obs_dim=8)
    net = Dueling(6, 3)
    for t in range(20):
        obs = torch.randn(6)
        act = net(obs[None]).argmax(1).item()
        buf.add(obs, act, 1.0)
    obs, act, rew, w, _ = buf.sample(8)
    q = net(obs).gather(1, act[:, None]).squeeze(1)
    print(((q - rew).pow(2) * w).mean().item())


if __name__ == "__main__":
    main()
