import torch
import torch.nn.functional as F
from torch import nn


def encode(x, n_freq):
    out = [x]
    for i in range(n_freq):
        for fn in (torch.sin, torch.cos):
            out.append(fn(2.0 ** i * x))
    return torch.cat(out, dim=-1)


class NeRF(nn.Module):
    def __init__(self, width=32, depth=4, skip=2, freqs=(4, 2)):
        super().__init__()
        self.freqs, self.skip = freqs, skip
        pos, dirs = 3 * (1 + 2 * freqs[0]), 3 * (1 + 2 * freqs[1])
        self.layers = nn.ModuleList(
            [nn.Linear(pos, width)] + [nn.Linear(width + pos if i == skip else width, width) for i in range(1, depth)]
        )
        self.sigma = nn.Linear(width, 1)
        self.rgb = nn.Sequential(nn.Linear(width + dirs, width // 2), nn.ReLU(), nn.Linear(width // 2, 3))

    def forward(self, pts, view):
        p, d = encode(pts, self.freqs[0]), encode(view, self.freqs[1])
        h = p
        for i, layer in enumerate(self.layers):
            if i == self.skip:
                h = torch.cat([h, p], -1)
            h = F.relu(layer(h))
        return self.rgb(torch.cat([h, d], -1)).sigmoid(), self.sigma(h).squeeze(-1).relu()


def composite(rgb, sigma, z):
    delta = z[..., 1:] - z[..., :-1]
    delta = torch.cat([delta, torch.full_like(delta[..., :1], 1e10)], -1)
    alpha = 1.0 - torch.exp(-sigma * delta)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], -1), -1)[:, :-1]
    w = alpha * trans
    return (w[..., None] * rgb).sum(-2), (w * z).sum(-1)


def render(model, origins, dirs, near=2.0, far=6.0, n=16):
    z = torch.linspace(near, far, n).expand(origins.shape[0], n)
    z = z + torch.rand_like(z) * (far - near) / n
    pts = origins[:, None, :] + dirs[:, None, :] * z[..., None]
    view = F.normalize(dirs, dim=-1)[:, None].expand_as(pts)
    rgb, sigma = model(pts, view)
    return composite(rgb, sigma, z)


if __name__ == "__main__":
    color, depth = render(NeRF(), torch.zeros(10, 3), torch.randn(10, 3))
    print(color.shape, depth.shape)
