import torch
import torch.nn.functional as F
from torch import nn


class FocalLoss(nn.Module):
    def __init__(self, alpha=0.25, gamma=2.0):
        super().__init__()
        self.alpha, self.gamma = alpha, gamma

    def forward(self, logits, target):
        bce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
        p = torch.exp(-bce)
        return (self.alpha * (1 - p) ** self.gamma * bce).mean()


class ShapeClassifier(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.classes = classes
        self.net = nn.Sequential(nn.Flatten(), nn.LazyLinear(32), nn.ReLU(), nn.Linear(32, classes))

    def forward(self, x):
        return self.net(x)


def main():
    model, criterion = ShapeClassifier(), FocalLoss()
    x = torch.rand(8, 1, 12, 12)
    label = torch.randint(0, 5, (8,))
    target = label.float()
    loss = criterion(model(x), target)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
