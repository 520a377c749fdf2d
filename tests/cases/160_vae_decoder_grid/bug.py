from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class VAEConfig:
    image_size: int = 32
    channels: int = 3
    width: int = 16
    latent: int = 20
    stages: int = 3

    @property
    def grid(self):
        return self.image_size // 2 ** self.stages


class Encoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        layers, c = [], cfg.channels
        for i in range(cfg.stages):
            out = cfg.width * 2 ** i
            layers += [nn.Conv2d(c, out, 4, stride=2, padding=1), nn.BatchNorm2d(out), nn.SiLU()]
            c = out
        self.net = nn.Sequential(*layers, nn.Flatten())
        self.to_stats = nn.Linear(c * cfg.grid ** 2, 2 * cfg.latent)

    def forward(self, x):
        return self.to_stats(self.net(x)).chunk(2, dim=1)


class Decoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        c = cfg.width * 2 ** (cfg.stages - 1)
        self.start = c
        self.fc = nn.Linear(cfg.latent, c * cfg.grid ** 2)
        layers = []
        while c > cfg.width:
            layers += [nn.ConvTranspose2d(c, c // 2, 4, stride=2, padding=1), nn.SiLU()]
            c //= 2
        self.net = nn.Sequential(*layers, nn.ConvTranspose2d(c, cfg.channels, 4, 2, 1), nn.Sigmoid())

    def forward(self, z):
        h = self.fc(z)
        g = self.cfg.grid
        h = h.view(-1, self.cfg.width, g, g)
        return self.net(h)


class VAE(nn.Module):
    def __init__(self, cfg=VAEConfig()):
        super().__init__()
        self.encoder = Encoder(cfg)
        self.decoder = Decoder(cfg)

    def reparameterize(self, mu, logvar):
        return mu + torch.randn_like(mu) * (0.5 * logvar).exp()

    def forward(self, x):
        mu, logvar = self.encoder(x)
        recon = self.decoder(self.reparameterize(mu, logvar))
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1).mean()
        return recon, kld


if __name__ == "__main__":
    model = VAE()
    batch = torch.rand(4, 3, 32, 32)
    recon, kld = model(batch)
    loss = nn.functional.mse_loss(recon, batch) + 1e-3 * kld
    loss.backward()
    print(loss.item())
