import random
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

Transition = namedtuple("Transition", "obs action reward following done")


class ReplayMemory:
    def __init__(self, capacity):
        self.items, self.capacity, self.at = [], capacity, 0

    def push(self, *values):
        if len(self.items) < self.capacity:
            self.items.append(None)
        self.items[self.at] = Transition(*values)
        self.at = (self.at + 1) % self.capacity

    def sample(self, size):
        batch = Transition(*zip(*random.sample(self.items, size)))
        reward = torch.tensor(batch.reward)[:, None]
        done = torch.tensor(batch.done, dtype=torch.float32)[:, None]
        return torch.stack(batch.obs), torch.stack(batch.action), reward, torch.stack(batch.following), done


class TwinQ(nn.Module):
    def __init__(self, obs_dim, action_dim, width=32):
        super().__init__()
        self.nets = nn.ModuleList(
            [
                nn.Sequential(nn.Linear(obs_dim + action_dim, width), nn.ReLU(), nn.Linear(width, 1), nn.Flatten(0))
                for _ in range(2)
            ]
        )

    def forward(self, obs, action):
        x = torch.cat([obs, action], dim=-1)
        return [net(x) for net in self.nets]


class TD3:
    def __init__(self, obs_dim=4, action_dim=2, gamma=0.99, noise=0.2):
        self.actor = nn.Sequential(nn.Linear(obs_dim, 32), nn.ReLU(), nn.Linear(32, action_dim), nn.Tanh())
        self.critic, self.target = TwinQ(obs_dim, action_dim), TwinQ(obs_dim, action_dim)
        self.target.load_state_dict(self.critic.state_dict())
        self.gamma, self.noise = gamma, noise
        self.opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    @torch.no_grad()
    def backup(self, reward, following, done):
        action = self.actor(following)
        action = (action + self.noise * torch.randn_like(action).clamp(-0.5, 0.5)).clamp(-1, 1)
        q = torch.min(*self.target(following, action))
        return reward + self.gamma * (1 - done) * q

    def update(self, batch):
        obs, action, reward, following, done = batch
        target = self.backup(reward, following, done)
        loss = sum((q - target).pow(2).mean() for q in self.critic(obs, action))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        for p, t in zip(self.critic.parameters(), self.target.parameters()):
            t.data.lerp_(p.data, 0.005)
        return loss.item()


def main():
    memory, agent = ReplayMemory(200), TD3()
    obs = torch.randn(4)
    for step in range(60):
        action = agent.actor(obs).detach()
        following = 0.9 * obs + 0.1 * torch.randn(4)
        memory.push(obs, action, float(-following.norm()), following, step % 20 == 19)
        obs = following
    print([agent.update(memory.sample(16)) for _ in range(2)])


if __name__ == "__main__":
    main()
