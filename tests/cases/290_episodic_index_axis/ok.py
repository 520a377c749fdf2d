import random

import torch
import torch.nn.functional as F
from torch import nn


class EpisodeSampler:
    def __init__(self, labels, n_way=3, k_shot=2, q=4, episodes=2):
        self.by_class = {}
        for i, y in enumerate(labels.tolist()):
            self.by_class.setdefault(y, []).append(i)
        self.n_way, self.k, self.q, self.episodes = n_way, k_shot, q, episodes

    def __iter__(self):
        for _ in range(self.episodes):
            yield random.sample(sorted(self.by_class), self.n_way)

    def __len__(self):
        return self.episodes


def split_episode(feats, n_way, k, q):
    z = feats.view(n_way, k + q, -1)
    return z[:, :k], z[:, k:].flatten(0, 1)


def relation_scores(support, query):
    protos = support.mean(1)
    pair = torch.cat([query[:, None].expand(-1, len(protos), -1), protos.expand(len(query), -1, -1)], -1)
    return pair


class RelationNet(nn.Module):
    def __init__(self, n_in=7, dim=6):
        super().__init__()
        self.enc = nn.Linear(n_in, dim)
        self.rel = nn.Sequential(nn.Linear(2 * dim, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x, n_way, k, q):
        support, query = split_episode(self.enc(x), n_way, k, q)
        return self.rel(relation_scores(support, query)).squeeze(-1)


def main():
    n_way, k, q = 3, 2, 4
    sampler = EpisodeSampler(torch.arange(5).repeat(10))
    net = RelationNet()
    for classes in sampler:
        x = torch.randn(n_way * (k + q), 7)
        scores = net(x, n_way, k, q)
        target = torch.arange(n_way).repeat_interleave(q)
        loss = F.mse_loss(scores, F.one_hot(target, n_way).float())
        loss.backward()
    print(len(sampler), loss.item())


if __name__ == "__main__":
    main()
