import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, in_dim, hidden, latent):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(in_dim, hidden), nn.ReLU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)

    def forward(self, x):
        h = self.body(x)
        return self.mu(h), self.logvar(h)


class Decoder(nn.Module):
    def __init__(self, latent, hidden, out_dim):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(latent, hidden), nn.Linear(hidden, out_dim)])

    def forward(self, z):
        first, last = self.layers
        return torch.sigmoid(last(F.relu(first(z))))


class CVAE(nn.Module):
    def __init__(self, in_dim=64, hidden=48, latent=20, classes=10):
        super().__init__()
        self.classes, self.latent = classes, latent
        self.encoder = Encoder(in_dim + classes, hidden, latent)
        self.decoder = Decoder(latent, hidden, in_dim)

    def label(self, y):
        return F.one_hot(y, self.classes).float()

    def forward(self, x, y):
        c = self.label(y)
        mu, logvar = self.encoder(torch.cat([x, c], dim=1))
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.decoder(torch.cat([z, c], dim=1)), mu, logvar

    @torch.no_grad()
    def sample(self, digit, count):
        y = torch.full((count,), digit)
        return self.decoder(torch.cat([torch.randn(count, self.latent), self.label(y)], dim=1))


def elbo(recon, x, mu, logvar):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()
    return (bce + kld) / len(x)


def fit(model, loader, epochs=1):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for x, y in loader:
            loss = elbo(model(x, y)[0], x, *model(x, y)[1:])
            opt.zero_grad()
            loss.backward()
            opt.step()
    return loss.item()


def main():
    data = TensorDataset(torch.rand(32, 64), torch.randint(0, 10, (32,)))
    model = CVAE()
    print(fit(model, DataLoader(data, batch_size=8, shuffle=True)))
    print(model.sample(3, 2).shape)


if __name__ == "__main__":
    main()
