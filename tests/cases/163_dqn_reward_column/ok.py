import random
from collections import deque, namedtuple

import torch
from torch import nn

Transition = namedtuple("Transition", ("state", "action", "reward", "next_state", "done"))


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        return random.sample(self.memory, n)

    def __len__(self):
        return len(self.memory)


class Agent:
    def __init__(self, n_obs=4, n_act=2, gamma=0.98):
        self.gamma = gamma
        self.policy = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))
        self.frozen = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))
        self.frozen.load_state_dict(self.policy.state_dict())

    @torch.no_grad()
    def bootstrap(self, reward, next_state, done):
        best = self.frozen(next_state).max(dim=1)[0].unsqueeze(1)
        return reward + self.gamma * best * (1 - done)

    def loss(self, state, action, reward, next_state, done):
        q = self.policy(state).gather(1, action)
        return nn.functional.smooth_l1_loss(q, self.bootstrap(reward, next_state, done))


def make():
    return torch.randn(8, 1), torch.randn(8, 4), torch.zeros(8, 1)


def target(batch):
    return Agent().bootstrap(*batch)


def main():
    agent = Agent()
    n = 16
    state, nxt = torch.randn(n, 4), torch.randn(n, 4)
    action = torch.randint(0, 2, (n, 1))
    reward, done = torch.randn(n, 1), torch.zeros(n, 1)
    loss = agent.loss(state, action, reward, nxt, done)
    loss.backward()
    print(float(loss))


if __name__ == "__main__":
    main()
