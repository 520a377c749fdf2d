import torch
from torch import nn


class ConvVAE(nn.Module):
    def __init__(self, channels=1, z=16):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(channels, 16, 4, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 4, 2, 1), nn.ReLU(), nn.Flatten()
        )
        self.mu = nn.Linear(32 * 7 * 7, z)
        self.logvar = nn.Linear(32 * 7 * 7, z)
        self.project = nn.Linear(z, 32 * 7 * 7)
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(32, 16, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(16, channels, 4, 2, 1)
        )

    def reparameterize(self, mu, logvar):
        return mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)

    def forward(self, x):
        h = self.encoder(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = self.reparameterize(mu, logvar)
        h = self.project(z).view(-1, 32, 7, 7)
        return torch.sigmoid(self.decoder(h)), mu, logvar


def main():
    x = torch.rand(6, 1, 28, 28)
    recon, mu, logvar = ConvVAE()(x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    print(recon.shape, kl.item())


if __name__ == "__main__":
    main()
