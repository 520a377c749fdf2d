import torch
from torch import nn


def class_blocks(feats, labels, classes):
    """(C, K, D): the features of each class"""
    groups = [feats[labels == c] for c in range(classes)]
    k = min(len(g) for g in groups)
    return torch.stack([g[:k] for g in groups])


def between_within(blocks):
    mean = blocks.mean(dim=1)
    within = (blocks - mean[:, None]).pow(2).sum(dim=-1).mean()
    between = (mean - mean.mean(dim=0)).pow(2).sum(dim=-1).mean()
    return within / between.clamp(min=1e-6)


class Embed(nn.Module):
    def __init__(self, cin=7, dim=5):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(cin, 16), nn.ReLU(), nn.Linear(16, dim))

    def forward(self, x):
        return self.fc(x)


def main():
    labels = torch.tensor([0, 1, 2, 0, 1, 2, 0, 0, 1, 2, 1])
    model = Embed()
    loss = between_within(class_blocks(model(torch.randn(11, 7)), labels, 3))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
