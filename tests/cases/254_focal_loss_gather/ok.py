from enum import Enum

import torch
import torch.nn as nn
import torch.nn.functional as F


class Reduction(str, Enum):
    NONE = "none"
    MEAN = "mean"
    SUM = "sum"


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, alpha=None, reduction=Reduction.MEAN):
        super().__init__()
        self.gamma, self.reduction = gamma, Reduction(reduction)
        self.register_buffer("alpha", None if alpha is None else torch.as_tensor(alpha))

    def forward(self, logits, target):
        if logits.dim() > 2:
            logits = logits.flatten(2).transpose(1, 2).reshape(-1, logits.size(1))
            target = target.reshape(-1)
        logpt = F.log_softmax(logits, dim=-1)
        logpt = logpt.gather(1, target.view(-1, 1)).squeeze(1)
        loss = -((1 - logpt.exp()) ** self.gamma) * logpt
        if self.alpha is not None:
            loss = self.alpha[target] * loss
        match self.reduction:
            case Reduction.MEAN:
                return loss.mean()
            case Reduction.SUM:
                return loss.sum()
        return loss


class PixelNet(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, n, 1))

    def forward(self, x):
        return self.body(x)


def main():
    crit = FocalLoss(alpha=[0.1, 0.2, 0.3, 0.4])
    net = PixelNet()
    x, y = torch.rand(2, 3, 6, 7), torch.randint(0, 4, (2, 6, 7))
    loss = crit(net(x), y)
    loss.backward()
    flat = FocalLoss(reduction="none")(torch.randn(5, 4), torch.randint(0, 4, (5,)))
    assert flat.shape == (5,), flat.shape


if __name__ == "__main__":
    main()
