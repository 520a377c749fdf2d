import numpy as np
import torch
from torch import nn


class CartPole:
    def __init__(self, seed=0):
        self.rng = np.random.RandomState(seed)
        self.state = np.zeros(4)

    def reset(self):
        self.state = self.rng.uniform(-0.05, 0.05, size=(4,))
        return self.state

    def step(self, action):
        push = 0.1 if action == 1 else -0.1
        self.state = self.state + np.array([0.02, push, 0.01, -push])
        return self.state, 1.0, bool(abs(self.state[0]) > 0.2)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))

    def act(self, obs):
        x = torch.from_numpy(obs).float().unsqueeze(0)
        dist = torch.distributions.Categorical(logits=self.net(x))
        action = dist.sample()
        return action.item(), dist.log_prob(action)


def main():
    env, policy = CartPole(), Policy()
    obs = env.reset()
    for _ in range(5):
        action, logp = policy.act(obs)
        obs, reward, done = env.step(action)
    print(logp.item(), done)


if __name__ == "__main__":
    main()
