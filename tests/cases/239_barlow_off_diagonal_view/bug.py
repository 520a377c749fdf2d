import torch
from torch import nn


def off_diagonal(x):
    n, m = x.shape
    assert n == m
    return x.flatten().view(n - 1, n + 1)[:, 1:].flatten()


class BarlowTwins(nn.Module):
    def __init__(self, backbone, feat_dim, projector="32-32-24", lambd=0.005):
        super().__init__()
        self.backbone, self.lambd = backbone, lambd
        sizes = [feat_dim] + list(map(int, projector.split("-")))
        layers = []
        for i in range(len(sizes) - 2):
            layers.append(nn.Linear(sizes[i], sizes[i + 1], bias=False))
            layers.append(nn.BatchNorm1d(sizes[i + 1]))
            layers.append(nn.ReLU(inplace=True))
        layers.append(nn.Linear(sizes[-2], sizes[-1], bias=False))
        self.projector = nn.Sequential(*layers)
        self.bn = nn.BatchNorm1d(sizes[-1], affine=False)

    def forward(self, y1, y2):
        z1, z2 = self.projector(self.backbone(y1)), self.projector(self.backbone(y2))
        c = self.bn(z1).T @ self.bn(z2)
        c.div_(y1.size(0))
        on = torch.diagonal(c).add_(-1).pow_(2).sum()
        off = off_diagonal(c).pow_(2).sum()
        return on + self.lambd * off


if __name__ == "__main__":
    backbone = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
    print(BarlowTwins(backbone, 32)(torch.rand(6, 3, 16, 16), torch.rand(6, 3, 16, 16)).item())
