import math

import torch
import torch.nn.functional as F
from torch import nn


def timestep_embedding(t, dim, max_period=10000):
    half = dim // 2
    freqs = torch.exp(-math.log(max_period) * torch.arange(half, dtype=torch.float32) / half)
    args = t[:, None].float() * freqs[None]
    emb = torch.cat([args.cos(), args.sin()], dim=-1)
    if dim % 2:
        emb = torch.cat([emb, torch.zeros_like(emb[:, :1])], dim=-1)
    return emb


class ResBlock(nn.Module):
    def __init__(self, c_in, c_out, emb_dim, groups=4):
        super().__init__()
        self.norm1 = nn.GroupNorm(groups, c_in)
        self.conv1 = nn.Conv2d(c_in, c_out, 3, padding=1)
        self.emb = nn.Sequential(nn.SiLU(), nn.Linear(emb_dim, c_out))
        self.norm2 = nn.GroupNorm(groups, c_out)
        self.conv2 = nn.Conv2d(c_out, c_out, 3, padding=1)
        self.skip = nn.Conv2d(c_in, c_out, 1) if c_in != c_out else nn.Identity()

    def forward(self, x, emb):
        h = self.conv1(F.silu(self.norm1(x)))
        h = h + self.emb(emb)[:, :, None, None]
        h = self.conv2(F.silu(self.norm2(h)))
        return self.skip(x) + h


class Denoiser(nn.Module):
    def __init__(self, base=8, mult=(1, 2), emb_dim=32):
        super().__init__()
        self.base = base
        self.stem = nn.Conv2d(3, base, 3, padding=1)
        self.time = nn.Sequential(nn.Linear(base, emb_dim), nn.SiLU(), nn.Linear(emb_dim, emb_dim))
        chans = [base] + [base * m for m in mult]
        self.blocks = nn.ModuleList([ResBlock(i, o, emb_dim) for i, o in zip(chans[:-1], chans[1:])])
        self.out = nn.Conv2d(chans[-1], 3, 3, padding=1)

    def forward(self, x, t):
        emb = self.time(timestep_embedding(t, self.base))
        h = self.stem(x)
        for block in self.blocks:
            h = block(h, emb)
        return self.out(h)


class Schedule:
    def __init__(self, steps=100):
        self.steps = steps
        self.alpha_bar = torch.cumprod(1 - torch.linspace(1e-4, 0.02, steps), dim=0)

    def q_sample(self, x0, t, noise):
        a = self.alpha_bar[t].view(-1, *([1] * (x0.dim() - 1)))
        return a.sqrt() * x0 + (1 - a).sqrt() * noise


if __name__ == "__main__":
    model, sched = Denoiser(), Schedule()
    x0 = torch.randn(5, 3, 12, 12)
    t = torch.randint(0, sched.steps, (x0.shape[0],))
    noise = torch.randn_like(x0)
    loss = F.mse_loss(model(sched.q_sample(x0, t, noise), t), noise)
    loss.backward()
