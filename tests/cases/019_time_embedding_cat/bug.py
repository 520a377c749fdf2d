import math

import torch
from torch import nn


def timestep_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(10000) * torch.arange(half) / half)
    args = t[:, None].float() * freqs[None]
    return torch.cat([torch.cos(args), torch.sin(args)], dim=-1)


class Denoiser(nn.Module):
    def __init__(self, channels=1, t_dim=16, width=32):
        super().__init__()
        self.t_dim = t_dim
        self.inp = nn.Conv2d(channels + t_dim, width, 3, padding=1)
        self.out = nn.Conv2d(width, channels, 3, padding=1)

    def forward(self, x, t):
        emb = timestep_embedding(t, self.t_dim)
        h = torch.relu(self.inp(torch.cat([x, emb], dim=1)))
        return self.out(h)


def main():
    model = Denoiser()
    x0, t = torch.randn(4, 1, 16, 16), torch.randint(0, 1000, (4,))
    alpha = torch.linspace(1.0, 0.01, 1000)[t].view(-1, 1, 1, 1)
    noise = torch.randn_like(x0)
    noisy = alpha.sqrt() * x0 + (1 - alpha).sqrt() * noise
    print(nn.functional.mse_loss(model(noisy, t), noise).item())


if __name__ == "__main__":
    main()
