import random
from typing import NamedTuple

import torch
from torch import nn


class Step(NamedTuple):
    obs: torch.Tensor
    action: int
    reward: float


class Batch(NamedTuple):
    obs: torch.Tensor
    actions: torch.Tensor
    rewards: torch.Tensor
    lengths: torch.Tensor


def play(obs_dim, actions, rng):
    episode = []
    for _ in range(rng.randint(3, 9)):
        episode.append(Step(torch.randn(obs_dim), rng.randrange(actions), rng.random()))
    return episode


def pad_episodes(episodes):
    lengths = torch.tensor([len(e) for e in episodes])
    longest = max(len(e) for e in episodes)
    obs_dim = episodes[0][0].obs.shape[0]
    obs = torch.zeros(len(episodes), longest, obs_dim)
    actions = torch.zeros(len(episodes), longest, dtype=torch.long)
    rewards = torch.zeros(len(episodes), longest)
    for i, episode in enumerate(episodes):
        for t, step in enumerate(episode):
            obs[i, t] = step.obs
            actions[i, t] = step.action
            rewards[i, t] = step.reward
    return Batch(obs, actions, rewards, lengths)


class QNetwork(nn.Module):
    def __init__(self, obs_dim, actions, hidden=16):
        super().__init__()
        self.rnn = nn.GRU(obs_dim, hidden, batch_first=True)
        self.q = nn.Linear(hidden, actions)

    def forward(self, obs):
        return self.q(self.rnn(obs)[0])


class Learner:
    def __init__(self, obs_dim=4, actions=3, gamma=0.95):
        self.net = QNetwork(obs_dim, actions)
        self.target = QNetwork(obs_dim, actions)
        self.target.load_state_dict(self.net.state_dict())
        self.gamma = gamma

    def td_error(self, batch):
        q = self.net(batch.obs).gather(2, batch.actions[..., None]).squeeze(2)
        with torch.no_grad():
            following = self.target(batch.obs).max(dim=2).values
        steps = torch.arange(batch.obs.shape[1] - 1)
        mask = (steps < batch.lengths[:, None] - 1).float()
        rewards = batch.rewards[:, :-1]
        target = rewards + self.gamma * mask * following[:, 1:]
        return (q[:, :-1] - target) * mask

    def loss(self, batch):
        return self.td_error(batch).pow(2).sum() / batch.lengths.sum()


def main(count=6):
    rng = random.Random(0)
    batch = pad_episodes([play(4, 3, rng) for _ in range(count)])
    learner = Learner()
    learner.loss(batch).backward()


if __name__ == "__main__":
    main()
