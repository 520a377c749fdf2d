import copy
from collections import deque

import torch
from torch import nn


class GridEnv:
    actions = 4

    def __init__(self, size=5, frames=3):
        self.size, self.frames = size, deque(maxlen=frames)

    def _draw(self):
        image = torch.zeros(self.size, self.size)
        image[self.row, self.col] = 1.0
        return image

    def reset(self):
        self.row = self.col = self.time = 0
        while len(self.frames) < self.frames.maxlen:
            self.frames.append(self._draw())
        return torch.stack(list(self.frames))

    def step(self, action):
        dr, dc = [(0, 1), (1, 0), (0, -1), (-1, 0)][action]
        self.row = min(max(self.row + dr, 0), self.size - 1)
        self.col = min(max(self.col + dc, 0), self.size - 1)
        self.time += 1
        self.frames.append(self._draw())
        goal = self.row == self.col == self.size - 1
        return torch.stack(list(self.frames)), float(goal), goal or self.time >= 8


class VecEnv:
    def __init__(self, make, count):
        self.envs = [make() for _ in range(count)]

    def reset(self):
        return torch.stack([env.reset() for env in self.envs])

    def step(self, actions):
        results = [env.step(int(a)) for env, a in zip(self.envs, actions)]
        obs = torch.stack([env.reset() if done else o for env, (o, _, done) in zip(self.envs, results)])
        return obs, torch.tensor([r for _, r, _ in results]), torch.tensor([d for _, _, d in results])


class QNet(nn.Module):
    def __init__(self, size, frames, actions):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(frames, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.ReLU())
        self.out = nn.Linear(8 * (size - 4) ** 2, actions)

    def forward(self, obs):
        return self.out(self.conv(obs).flatten(1))


class Agent:
    def __init__(self, env):
        self.net = QNet(env.size, env.frames.maxlen, env.actions)
        self.target = copy.deepcopy(self.net)

    @torch.no_grad()
    def act(self, obs, epsilon=0.0):
        greedy = self.net(obs).argmax(dim=1)
        explore = torch.rand(len(greedy)) < epsilon
        return torch.where(explore, torch.randint(0, 4, greedy.shape), greedy)


def evaluate(agent, make, episodes=2):
    score = 0.0
    for _ in range(episodes):
        env, done = make(), False
        obs = env.reset()
        while not done:
            action = agent.act(obs[None])
            obs, reward, done = env.step(int(action))
            score += reward
    return score / episodes


def main():
    vec = VecEnv(GridEnv, 4)
    agent, obs = Agent(GridEnv()), vec.reset()
    for _ in range(3):
        obs, _, _ = vec.step(agent.act(obs, epsilon=0.3))
    print(evaluate(agent, GridEnv))


if __name__ == "__main__":
    main()
