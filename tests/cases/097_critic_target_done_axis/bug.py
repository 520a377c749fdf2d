import copy

import torch
import torch.nn.functional as F
from torch import nn


class TwinQ(nn.Module):
    def __init__(self, obs=7, act=2):
        super().__init__()
        self.q1 = nn.Sequential(nn.Linear(obs + act, 32), nn.ReLU(), nn.Linear(32, 1))
        self.q2 = copy.deepcopy(self.q1)

    def forward(self, obs, act):
        x = torch.cat([obs, act], dim=-1)
        return self.q1(x), self.q2(x)


def bellman_target(critic, reward, done, next_obs, next_act, gamma=0.99):
    """reward and done (B,) -> target (B, 1)"""
    with torch.no_grad():
        q1, q2 = critic(next_obs, next_act)
        q = torch.min(q1, q2)
        return reward + gamma * (1.0 - done) * q


def main():
    critic, b = TwinQ(), 18
    obs, act = torch.randn(b, 7), torch.rand(b, 2) * 2 - 1
    reward, done = torch.randn(b), (torch.rand(b) < 0.1).float()
    target = bellman_target(copy.deepcopy(critic), reward, done, torch.randn(b, 7), act)
    q1, q2 = critic(obs, act)
    loss = ((q1 - target) ** 2).mean() + F.mse_loss(q2, target.mean(dim=1, keepdim=True))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
