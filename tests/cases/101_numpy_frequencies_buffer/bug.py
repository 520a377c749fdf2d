import numpy as np
import torch
from torch import nn


class FourierFeatures(nn.Module):
    def __init__(self, bands=6):
        super().__init__()
        freqs = 2.0 ** np.arange(bands) * np.pi
        self.register_buffer("freqs", torch.from_numpy(freqs))
        self.width = 3 * 2 * bands

    def forward(self, x):
        angles = (x[..., None] * self.freqs).flatten(-2)
        return torch.cat([angles.sin(), angles.cos()], dim=-1)


class Field(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.encode = FourierFeatures()
        self.net = nn.Sequential(nn.Linear(self.encode.width, hidden), nn.ReLU(), nn.Linear(hidden, 4))

    def forward(self, x):
        rgb, sigma = self.net(self.encode(x)).split([3, 1], dim=-1)
        return torch.sigmoid(rgb), torch.relu(sigma)


def render(field, origin, direction, n=8):
    depth = torch.linspace(0.5, 2.0, n)
    points = origin[:, None] + depth[:, None] * direction[:, None]
    rgb, sigma = field(points)
    alpha = 1 - torch.exp(-sigma * (depth[1] - depth[0]))
    clear = torch.cumprod(1 - alpha + 1e-6, dim=1)
    return (alpha * clear * rgb).sum(dim=1)


def main():
    print(render(Field(), torch.zeros(5, 3), torch.randn(5, 3)).shape)


if __name__ == "__main__":
    main()
