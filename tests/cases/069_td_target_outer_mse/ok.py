import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class ReplayBuffer:
    def __init__(self, capacity=200):
        self.memory = deque(maxlen=capacity)

    def push(self, *item):
        self.memory.append(item)

    def sample(self, n):
        s, a, r, s2, d = zip(*random.sample(self.memory, n))
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d)


def td_loss(net, target_net, state, action, reward, next_state, done, gamma=0.95):
    """state (B, 6), action (B,), reward (B,), done (B,)"""
    action = action.view(-1, 1)
    q = net(state).gather(1, action)
    q = q.squeeze(1)
    with torch.no_grad():
        best = target_net(next_state).max(dim=1)[0]
        goal = reward + gamma * best * (1 - done)
    return F.mse_loss(q, goal)


def main():
    nets = [nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3)) for _ in range(2)]
    buffer = ReplayBuffer()
    for _ in range(64):
        buffer.push(torch.randn(6), random.randrange(3), random.random(), torch.randn(6), 0.0)
    loss = td_loss(*nets, *buffer.sample(16))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
