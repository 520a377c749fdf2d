import torch
from torch import nn


class PointwiseMLP(nn.Module):
    """Shared MLP over points: conv, norm, activation per layer."""

    def __init__(self, dims, act=nn.ReLU(inplace=True)):
        super().__init__()
        layers = []
        for a, b in zip(dims[:-1], dims[1:]):
            layers += [nn.Conv1d(a, b, 1), nn.BatchNorm1d(b), act]
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


class TNet(nn.Module):
    def __init__(self, k=3):
        super().__init__()
        self.k = k
        self.mlp = PointwiseMLP((k, 16, 32))
        self.fc = nn.Linear(32, k * k)
        nn.init.zeros_(self.fc.weight)
        self.register_buffer("eye", torch.eye(k).flatten(), persistent=False)

    def forward(self, x):
        t = self.mlp(x).max(dim=2)[0]
        return (self.fc(t) + self.eye).view(-1, self.k, self.k)


class PointNet(nn.Module):
    def __init__(self, classes=6):
        super().__init__()
        self.tnet = TNet(3)
        self.mlp = PointwiseMLP((3, 24, 48))
        self.cls = nn.Sequential(nn.Linear(48, 24), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, classes))

    def forward(self, pts):
        pts = torch.bmm(pts.transpose(1, 2), self.tnet(pts)).transpose(1, 2)
        return self.cls(torch.max(self.mlp(pts), 2)[0]).log_softmax(-1)


if __name__ == "__main__":
    print(PointNet()(torch.randn(4, 3, 50)).shape)
