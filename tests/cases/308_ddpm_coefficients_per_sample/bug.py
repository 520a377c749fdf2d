import math

import torch
import torch.nn.functional as F
from torch import nn


def cosine_schedule(steps, s=0.008):
    t = torch.linspace(0, 1, steps + 1)
    alphas = torch.cos((t + s) / (1 + s) * math.pi / 2) ** 2
    return (1 - alphas[1:] / alphas[:-1]).clamp(max=0.999)


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, dim))

    def forward(self, t):
        freq = torch.exp(torch.arange(self.dim // 2) * (-math.log(10000) / (self.dim // 2)))
        angles = t[:, None].float() * freq[None]
        return self.mlp(torch.cat([angles.sin(), angles.cos()], dim=-1))


class Denoiser(nn.Module):
    def __init__(self, channels=3, width=16):
        super().__init__()
        self.time = TimeEmbedding(width)
        self.conv_in = nn.Conv2d(channels, width, 3, padding=1)
        self.mid = nn.Conv2d(width, width, 3, padding=1)
        self.conv_out = nn.Conv2d(width, channels, 3, padding=1)

    def forward(self, x, t):
        h = F.silu(self.conv_in(x) + self.time(t)[:, :, None, None])
        return self.conv_out(F.silu(self.mid(h)))


class Diffusion(nn.Module):
    def __init__(self, model, steps=100):
        super().__init__()
        self.model, self.steps = model, steps
        betas = cosine_schedule(steps)
        alphas_bar = (1 - betas).cumprod(0)
        self.register_buffer("signal", alphas_bar.sqrt())
        self.register_buffer("noise", (1 - alphas_bar).sqrt())

    def lookup(self, table, t, like):
        return table.gather(0, t)

    def q_sample(self, x0, t, eps):
        return self.lookup(self.signal, t, x0) * x0 + self.lookup(self.noise, t, x0) * eps

    def loss(self, x0):
        t = torch.randint(0, self.steps, (x0.shape[0],))
        eps = torch.randn_like(x0)
        return F.mse_loss(self.model(self.q_sample(x0, t, eps), t), eps)


def main(batch_size=8):
    diffusion = Diffusion(Denoiser())
    opt = torch.optim.AdamW(diffusion.parameters(), lr=2e-4)
    for _ in range(2):
        loss = diffusion.loss(torch.rand(batch_size, 3, 16, 16) * 2 - 1)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
