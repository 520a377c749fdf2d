import torch
import torch.nn.functional as F
from torch import nn


def mixup(x, y, alpha=0.4):
    """lam has shape (B,)"""
    lam = torch.distributions.Beta(alpha, alpha).sample((x.size(0),))
    perm = torch.randperm(x.size(0))
    shaped = lam.view(-1, *[1] * (x.dim() - 1))
    return shaped * x + (1 - shaped) * x[perm], y, y[perm], lam


def mixup_loss(logits, ya, yb, lam):
    """logits (B, C), ya and yb (B,), lam (B,)"""
    a = -logits.log_softmax(dim=1).gather(1, ya.unsqueeze(1))
    b = -logits.log_softmax(dim=1).gather(1, yb.unsqueeze(1))
    return (lam * a + (1 - lam) * b).mean()


def main():
    net = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.LazyLinear(6))
    x, y = torch.rand(10, 3, 16, 16), torch.randint(0, 6, (10,))
    mixed, ya, yb, lam = mixup(x, y)
    loss = mixup_loss(net(mixed), ya, yb, lam)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
