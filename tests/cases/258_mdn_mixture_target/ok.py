import math

import torch
from torch import nn


class MDN(nn.Module):
    def __init__(self, n_in=1, hidden=16, k=5):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.Tanh())
        self.pi, self.mu, self.log_sigma = nn.Linear(hidden, k), nn.Linear(hidden, k), nn.Linear(hidden, k)

    def forward(self, x):
        h = self.body(x)
        return self.pi(h), self.mu(h), self.log_sigma(h).exp()


def nll(logit, mu, sigma, y):
    """y (N,) against mixtures (N, K)"""
    z = (y.unsqueeze(-1) - mu) / sigma
    logp = -0.5 * z ** 2 - sigma.log() - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(logit.log_softmax(-1) + logp, dim=-1)


def main():
    x = torch.rand(30, 1)
    y = (x + 0.3 * torch.sin(6 * x)).squeeze(1)
    model = MDN()
    opt = torch.optim.LBFGS(model.parameters(), max_iter=3)

    def closure():
        opt.zero_grad()
        loss = nll(*model(x), y).mean()
        loss.backward()
        return loss

    print(opt.step(closure).item())


if __name__ == "__main__":
    main()
