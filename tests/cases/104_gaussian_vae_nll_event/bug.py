import torch
from torch import nn
from torch.distributions import Normal, kl_divergence


class VAE(nn.Module):
    def __init__(self, pixels=784, hidden=64, z=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Flatten(), nn.Linear(pixels, hidden), nn.ReLU(), nn.Linear(hidden, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, hidden), nn.ReLU(), nn.Linear(hidden, pixels))

    def posterior(self, x):
        mu, log_sigma = self.enc(x).chunk(2, dim=-1)
        return Normal(mu, log_sigma.exp())

    def elbo(self, x):
        q = self.posterior(x)
        z = q.rsample()
        recon = self.dec(z)
        prior = Normal(torch.zeros_like(z), torch.ones_like(z))
        nll = (recon - x).pow(2).sum(dim=1)
        return (nll + kl_divergence(q, prior).sum(dim=1)).mean()


def main():
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(2):
        x = torch.rand(10, 1, 28, 28)
        loss = model.elbo(x)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{loss.item():.2f}")


if __name__ == "__main__":
    main()
