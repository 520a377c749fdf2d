import torch
import torch.nn.functional as F
from torch import nn


class Demand(nn.Module):
    def __init__(self, stores=6, dim=4):
        super().__init__()
        self.store = nn.Embedding(stores, dim)
        self.net = nn.Sequential(nn.Linear(dim + 3, 16), nn.ReLU(), nn.Linear(16, 1), nn.Softplus())

    def forward(self, store, x):
        return self.net(torch.cat([self.store(store), x], dim=1))


def weighted_loss(pred, target, weight):
    """pred (N, 1), target (N, 1), weight (N,)"""
    loss = F.l1_loss(pred, target, reduction="none")
    return (loss.view(-1) * weight).sum() / weight.sum()


def main():
    n = 24
    store, x = torch.randint(0, 6, (n,)), torch.randn(n, 3)
    target = torch.rand(n, 1) * 10
    age = torch.arange(n).float()
    weight = torch.exp(-age / 12)
    model = Demand()
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for _ in range(3):
        loss = weighted_loss(model(store, x), target, weight)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
