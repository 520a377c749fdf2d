import torch
from torch import nn


def squared_distance(x, c):
    """x (N, D), c (K, D) -> (N, K)"""
    xx = x.pow(2).sum(dim=1, keepdim=True)
    cc = c.pow(2).sum(dim=1)
    return (xx - 2 * x @ c.T + cc).clamp(min=0)


def changed(x, centers, labels):
    """How many of the N labels are different now."""
    new = squared_distance(x, centers).argmin(dim=1)
    return (new != labels).sum().item()


def kmeans(x, k, steps=10):
    centers = x[:k].clone()
    labels = torch.full((x.shape[0],), -1)
    for _ in range(steps):
        if changed(x, centers, labels) == 0:
            break
        labels = squared_distance(x, centers).argmin(dim=1)
        member = labels[:, None] == torch.arange(k)
        weight = member.float() / member.sum(dim=0).clamp(min=1)
        centers = weight.T @ x
    return centers, labels


def main():
    encoder = nn.Linear(20, 6)
    with torch.no_grad():
        centers, labels = kmeans(encoder(torch.randn(50, 20)), k=4)
    print(centers.shape, labels.bincount(minlength=4))


if __name__ == "__main__":
    main()
