import copy

import torch
import torch.nn.functional as F
from torch import nn


class MLPHead(nn.Module):
    def __init__(self, in_dim, hidden=32, out_dim=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(in_dim, hidden), nn.BatchNorm1d(hidden), nn.ReLU(inplace=True), nn.Linear(hidden, out_dim)
        )

    def forward(self, x):
        return self.net(x)


class BYOL(nn.Module):
    def __init__(self, encoder, feat_dim, proj=16, tau=0.99):
        super().__init__()
        self.online = nn.Sequential(encoder, MLPHead(feat_dim, out_dim=proj))
        self.predictor = MLPHead(proj, out_dim=feat_dim)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad = False
        self.tau = tau

    @torch.no_grad()
    def update_target(self):
        for o, t in zip(self.online.parameters(), self.target.parameters()):
            t.data.mul_(self.tau).add_(o.data, alpha=1 - self.tau)

    def regression(self, p, z):
        return 2 - 2 * (F.normalize(p, dim=-1) * F.normalize(z, dim=-1)).sum(dim=-1)

    def forward(self, a, b):
        pa, pb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            za, zb = self.target(a), self.target(b)
        return (self.regression(pa, zb) + self.regression(pb, za)).mean()


def augment(x):
    return x + 0.1 * torch.randn_like(x) if torch.rand(()) < 0.5 else x.flip(-1)


def main():
    encoder = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d((2, 2)), nn.Flatten())
    model = BYOL(encoder, feat_dim=32)
    x = torch.rand(6, 1, 12, 12)
    model(augment(x), augment(x)).backward()
    model.update_target()


if __name__ == "__main__":
    main()
