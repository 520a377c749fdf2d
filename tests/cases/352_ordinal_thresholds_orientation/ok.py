import math
from enum import IntEnum

import torch
from torch import nn


class Grade(IntEnum):
    NONE = 0
    MILD = 1
    MODERATE = 2
    SEVERE = 3
    PROLIFERATIVE = 4


class OrdinalHead(nn.Module):
    """P(grade > k) for each k"""

    def __init__(self, features, levels):
        super().__init__()
        self.score = nn.Linear(features, 1)
        self.first = nn.Parameter(torch.tensor(-1.0))
        self.gaps = nn.Parameter(torch.full((levels - 2,), math.log(0.8)))

    @property
    def thresholds(self):
        return torch.cat([self.first[None], self.first + self.gaps.exp().cumsum(0)])

    def forward(self, x):
        score = self.score(x)
        return score - self.thresholds


def encode(grades, levels):
    return (grades[:, None] > torch.arange(levels - 1)).float()


def decode(logits):
    return (logits > 0).sum(dim=1)


class FundusNet(nn.Module):
    def __init__(self, levels=len(Grade), width=12):
        super().__init__()
        self.eye = nn.Sequential(
            nn.Conv2d(3, width, 5, 2, 2), nn.ReLU(), nn.Conv2d(width, width, 3, 2, 1), nn.ReLU()
        )
        self.pool = nn.AdaptiveMaxPool2d(1)
        self.head = OrdinalHead(2 * width, levels)

    def forward(self, left, right):
        both = [self.pool(self.eye(e)).flatten(1) for e in (left, right)]
        return self.head(torch.cat(both, dim=1))


class Patients(torch.utils.data.Dataset):
    def __len__(self):
        return 24

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(index)
        left, right = torch.rand(2, 3, 32, 32, generator=g).unbind(0)
        return {"left": left, "right": right, "grade": int(Grade(index % len(Grade)))}


def quadratic_kappa(pred, true, levels):
    weight = (torch.arange(levels)[:, None] - torch.arange(levels)).float().pow(2)
    observed = torch.zeros(levels, levels).index_put_((true, pred), torch.ones(len(true)), accumulate=True)
    expected = observed.sum(1, keepdim=True) * observed.sum(0, keepdim=True) / observed.sum()
    return 1 - (weight * observed).sum() / (weight * expected).sum()


def main():
    model = FundusNet()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for batch in torch.utils.data.DataLoader(Patients(), batch_size=8, shuffle=True):
        logits = model(batch["left"], batch["right"])
        loss = nn.functional.binary_cross_entropy_with_logits(logits, encode(batch["grade"], len(Grade)))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(quadratic_kappa(decode(logits), batch["grade"], len(Grade)).item())


if __name__ == "__main__":
    main()
