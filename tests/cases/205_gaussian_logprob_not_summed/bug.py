import torch
from torch import nn
from torch.distributions import Normal


class GaussianPolicy(nn.Module):
    def __init__(self, obs=5, act=1, hidden=16):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, act))
        self.log_std = nn.Parameter(torch.full((act,), -0.5))

    def dist(self, obs):
        return Normal(self.mu(obs), self.log_std.exp())

    def log_prob(self, obs, act):
        return self.dist(obs).log_prob(act)


def fake(n):
    policy = GaussianPolicy()
    return policy, torch.randn(n, 5), torch.randn(n, 1), torch.randn(n)


def surrogate(policy, obs, act, adv):
    return -policy.log_prob(obs, act) * adv


def main():
    policy, obs, act, adv = fake(12)
    with torch.no_grad():
        act = policy.dist(obs).sample()
    adv = (adv - adv.mean()) / (adv.std(unbiased=False) + 1e-8)
    loss = surrogate(policy, obs, act, adv).mean()
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
