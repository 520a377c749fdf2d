import torch
from torch import nn
from torch.distributions import Normal


class GaussianPolicy(nn.Module):
    def __init__(self, obs=5, act=1):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(obs, 16), nn.Tanh(), nn.Linear(16, act))
        self.log_std = nn.Parameter(torch.zeros(act))

    def dist(self, obs):
        return Normal(self.mu(obs), self.log_std.exp())


def discounted(rewards, gamma=0.99):
    out, running = [], 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        out.insert(0, running)
    return torch.tensor(out)


def policy_loss(policy, obs, act, returns):
    """obs (T, 5), act (T, 1), returns (T,)"""
    logp = policy.dist(obs).log_prob(act)
    return -(logp * returns).mean()


def main():
    policy = GaussianPolicy()
    obs = torch.randn(20, 5)
    with torch.no_grad():
        act = policy.dist(obs).sample()
    rewards = [float(i % 3) for i in range(20)]
    loss = policy_loss(policy, obs, act, discounted(rewards))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
