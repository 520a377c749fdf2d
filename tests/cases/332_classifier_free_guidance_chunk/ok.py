import torch
import torch.nn.functional as F
from torch import nn


class Scheduler:
    def __init__(self, train_steps=1000):
        betas = torch.linspace(1e-4, 0.02, train_steps)
        self.alphas_bar = torch.cumprod(1 - betas, dim=0)
        self.train_steps = train_steps

    def set_timesteps(self, count):
        self.timesteps = torch.arange(self.train_steps - 1, -1, -(self.train_steps // count))

    def step(self, eps, t, x):
        bar = self.alphas_bar[t]
        x0 = (x - (1 - bar).sqrt() * eps) / bar.sqrt()
        prev = t - self.train_steps // len(self.timesteps)
        bar_prev = self.alphas_bar[prev] if prev >= 0 else torch.tensor(1.0)
        return bar_prev.sqrt() * x0 + (1 - bar_prev).sqrt() * eps


class ConditionedBlock(nn.Module):
    def __init__(self, width, dim):
        super().__init__()
        self.norm = nn.GroupNorm(4, width)
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.modulation = nn.Linear(dim, 2 * width)

    def forward(self, x, emb):
        scale, shift = self.modulation(emb)[:, :, None, None].chunk(2, dim=1)
        return x + self.conv(F.silu(self.norm(x) * (1 + scale) + shift))


class UNetLite(nn.Module):
    def __init__(self, channels=4, width=16, classes=10, dim=32):
        super().__init__()
        self.dim = dim
        self.labels = nn.Embedding(classes + 1, dim)
        self.conv_in, self.conv_out = nn.Conv2d(channels, width, 1), nn.Conv2d(width, channels, 1)
        self.blocks = nn.ModuleList([ConditionedBlock(width, 2 * dim) for _ in range(2)])

    def time(self, t):
        freqs = torch.exp(-torch.arange(self.dim // 2) / (self.dim // 2) * 9.2)
        return torch.cat([torch.sin(t[:, None] * freqs), torch.cos(t[:, None] * freqs)], dim=1)

    def forward(self, x, t, labels):
        time = self.time(t)
        label = self.labels(labels).view(len(t), -1, self.dim).mean(1)
        emb = torch.cat([time, label], dim=1)
        x = self.conv_in(x)
        for block in self.blocks:
            x = block(x, emb)
        return self.conv_out(x)


class Pipeline:
    def __init__(self, unet, scheduler, null_label=10):
        self.unet, self.scheduler, self.null = unet.eval(), scheduler, null_label

    @torch.no_grad()
    def __call__(self, labels, steps=4, guidance=3.0, size=8):
        x = torch.randn(len(labels), 4, size, size)
        self.scheduler.set_timesteps(steps)
        both = torch.cat([torch.full_like(labels, self.null), labels])
        for t in self.scheduler.timesteps:
            doubled = torch.cat([x, x])
            eps = self.unet(doubled, t.expand(len(doubled)), both)
            free, conditioned = eps.chunk(2)
            x = self.scheduler.step(free + guidance * (conditioned - free), t, x)
        return x


if __name__ == "__main__":
    print(Pipeline(UNetLite(), Scheduler())(torch.tensor([1, 7])).shape)
