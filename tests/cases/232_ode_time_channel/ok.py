import torch
from torch import nn


class ODEFunc(nn.Module):
    def __init__(self, dim, hidden=16):
        super().__init__()
        self.nfe = 0
        self.net = nn.Sequential(
            nn.Linear(dim + 1, hidden),
            nn.Softplus(),
            nn.Linear(hidden, dim),
        )

    def forward(self, t, y):
        self.nfe += 1
        t = torch.ones_like(y[..., :1]) * t
        return self.net(torch.cat([t, y], dim=-1))


def rk4_step(f, t, dt, y):
    k1 = f(t, y)
    k2 = f(t + dt / 2, y + dt * k1 / 2)
    k3 = f(t + dt / 2, y + dt * k2 / 2)
    k4 = f(t + dt, y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def odeint(f, y0, ts):
    ys = [y0]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        ys.append(rk4_step(f, t0, t1 - t0, ys[-1]))
    return torch.stack(ys)


class LatentODE(nn.Module):
    def __init__(self, obs=2, latent=4):
        super().__init__()
        self.rec = nn.GRU(obs, 2 * latent)
        self.func = ODEFunc(latent)
        self.dec = nn.Linear(latent, obs)

    def forward(self, x, ts):
        _, h = self.rec(x.flip(0))
        mu, logvar = h[-1].chunk(2, dim=-1)
        z0 = mu + torch.randn_like(mu) * (logvar / 2).exp()
        return self.dec(odeint(self.func, z0, ts)), mu, logvar


if __name__ == "__main__":
    ts = torch.linspace(0.0, 1.0, 7)
    x = torch.randn(7, 5, 2)
    pred, mu, logvar = LatentODE()(x, ts)
    print(((pred - x) ** 2).mean().item(), pred.shape)
