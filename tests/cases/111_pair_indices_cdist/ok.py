import torch
from torch import nn


def chamfer(a, b):
    """a (B, N, 3), b (B, M, 3)"""
    d = torch.cdist(a, b)
    return d.min(dim=2).values.mean() + d.min(dim=1).values.mean()


class PointAutoencoder(nn.Module):
    def __init__(self, n_points=64, cin=6, z=32):
        super().__init__()
        self.n_points = n_points
        self.encoder = nn.Sequential(
            nn.Conv1d(cin, 32, 1), nn.BatchNorm1d(32), nn.ReLU(), nn.Conv1d(32, z, 1)
        )
        self.decoder = nn.Sequential(nn.Linear(z, 128), nn.ReLU(), nn.Linear(128, 3 * n_points))

    def forward(self, cloud):
        feats = self.encoder(cloud.transpose(1, 2))
        code = torch.max(feats, dim=2)[0]
        return self.decoder(code).view(-1, self.n_points, 3)


def main():
    model = PointAutoencoder()
    cloud = torch.randn(4, 100, 6)
    recon = model(cloud)
    loss = chamfer(recon, cloud[..., :3])
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
