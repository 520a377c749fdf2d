import copy

import torch
import torch.nn.functional as F
from torch import nn


class Projector(nn.Module):
    def __init__(self, width=16, dim=32):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, width, 3, stride=2, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()
        )
        self.head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, dim))

    def forward(self, x):
        return F.normalize(self.head(self.features(x)), dim=1)


class Queue(nn.Module):
    def __init__(self, slots, dim):
        super().__init__()
        self.register_buffer("bank", F.normalize(torch.randn(slots, dim), dim=1))
        self.register_buffer("ptr", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def push(self, keys):
        start = int(self.ptr)
        self.bank[start : start + len(keys)] = keys
        self.ptr.fill_((start + len(keys)) % len(self.bank))

    def negatives(self):
        return self.bank.clone()


class MoCo(nn.Module):
    def __init__(self, slots=128, dim=32, momentum=0.99, temperature=0.2):
        super().__init__()
        self.query = Projector(dim=dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.queue = Queue(slots, dim)
        self.momentum, self.temperature = momentum, temperature

    @torch.no_grad()
    def update_key(self):
        for q, k in zip(self.query.parameters(), self.key.parameters()):
            k.lerp_(q, 1 - self.momentum)

    def forward(self, first, second):
        q = self.query(first)
        with torch.no_grad():
            self.update_key()
            k = self.key(second)
        positive = (q * k).sum(dim=1, keepdim=True)
        negative = q @ self.queue.negatives()
        logits = torch.cat([positive, negative], dim=1) / self.temperature
        self.queue.push(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


class TwoViews:
    def __init__(self, batches, size=8):
        self.batches, self.size = batches, size

    def __iter__(self):
        for _ in range(self.batches):
            images = torch.rand(self.size, 3, 16, 16)
            yield images.flip(-1), images + 0.05 * torch.randn_like(images)


def main():
    model = MoCo()
    opt = torch.optim.SGD(model.query.parameters(), lr=0.03)
    for first, second in TwoViews(3):
        loss = model(first, second)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
