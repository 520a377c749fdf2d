import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.register_buffer("freqs", 2.0 ** torch.arange(levels) * math.pi)

    @property
    def width(self):
        return 3 * 2 * len(self.freqs)

    def forward(self, x):
        angles = x[..., None] * self.freqs
        return torch.cat([angles.sin(), angles.cos()], dim=-1).flatten(-2)


class Field(nn.Module):
    def __init__(self, levels=4, width=32):
        super().__init__()
        self.encode = PositionalEncoding(levels)
        self.trunk = nn.Sequential(
            nn.Linear(self.encode.width, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.sigma = nn.Linear(width, 1)
        self.rgb = nn.Sequential(nn.Linear(width, 3), nn.Sigmoid())

    def forward(self, points):
        h = self.trunk(self.encode(points))
        density = nn.functional.softplus(self.sigma(h)).squeeze(-1)
        return density, self.rgb(h)


def sample_along(rays_o, rays_d, near, far, samples):
    edges = torch.linspace(near, far, samples + 1)
    t = (edges[:-1] + edges[1:]) / 2
    points = rays_o[:, None] + rays_d[:, None] * t[None, :, None]
    delta = (edges[1:] - edges[:-1]).expand(len(rays_o), samples)
    return points, delta


def opacity(density, delta):
    return 1 - torch.exp(-density * delta)


def composite(alpha, rgb):
    clear = torch.cumprod(1 - alpha + 1e-10, dim=1)
    transmittance = torch.cat([torch.ones_like(clear[:, :1]), clear[:, :-1]], dim=1)
    weights = transmittance * alpha
    return (weights.reshape(len(rgb), -1)[:, : rgb.shape[1], None] * rgb).sum(1)


class Renderer(nn.Module):
    def __init__(self, field, near=0.5, far=2.5, samples=12):
        super().__init__()
        self.field, self.near, self.far, self.samples = field, near, far, samples

    def forward(self, rays_o, rays_d):
        points, delta = sample_along(rays_o, rays_d, self.near, self.far, self.samples)
        density, rgb = self.field(points)
        return composite(opacity(density, delta), rgb)


def main():
    renderer = Renderer(Field())
    rays_o = torch.zeros(12, 3)
    rays_d = nn.functional.normalize(torch.randn(12, 3), dim=-1)
    loss = (renderer(rays_o, rays_d) - torch.rand(12, 3)).pow(2).mean()
    loss.backward()


if __name__ == "__main__":
    main()
