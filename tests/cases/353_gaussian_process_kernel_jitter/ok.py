import math

import torch
from torch import nn


class Kernel(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(()))
        self.log_length = nn.Parameter(torch.zeros(()))

    def forward(self, a, b):
        return self.log_scale.exp() * torch.exp(-0.5 * self.distance(a, b) / self.log_length.exp() ** 2)

    def distance(self, a, b):
        raise NotImplementedError


class RBF(Kernel):
    def distance(self, a, b):
        return torch.cdist(a, b).pow(2)


class Periodic(Kernel):
    def __init__(self, period):
        super().__init__()
        self.period = period

    def distance(self, a, b):
        return 4 * torch.sin(math.pi * (a - b.t()) / self.period).pow(2)


class Sum(nn.Module):
    def __init__(self, *kernels):
        super().__init__()
        self.kernels = nn.ModuleList(kernels)

    def forward(self, a, b):
        return sum(k(a, b) for k in self.kernels)


class GP(nn.Module):
    def __init__(self, kernel):
        super().__init__()
        self.kernel = kernel
        self.log_noise = nn.Parameter(torch.tensor(-2.0))

    def gram(self, x):
        return self.kernel(x, x) + (self.log_noise.exp() + 1e-4) * torch.eye(len(x))

    def evidence(self, x, y):
        factor = torch.linalg.cholesky(self.gram(x))
        alpha = torch.cholesky_solve(y[:, None], factor)
        fit = (y[:, None] * alpha).sum() / 2
        return fit + factor.diagonal().log().sum() + len(x) / 2 * math.log(2 * math.pi)

    @torch.no_grad()
    def predict(self, x, y, test):
        factor = torch.linalg.cholesky(self.gram(x))
        cross = self.kernel(x, test)
        half = torch.linalg.solve_triangular(factor, cross, upper=False)
        target = torch.linalg.solve_triangular(factor, y[:, None], upper=False)
        variance = self.kernel(test, test).diagonal() - half.pow(2).sum(0)
        return (half.t() @ target).squeeze(1), variance.clamp(min=0)


def observations(count):
    x = torch.rand(count, 1) * 4
    return x, (torch.sin(2 * x) + 0.1 * torch.randn(count, 1)).squeeze(1)


def main():
    model = GP(Sum(RBF(), Periodic(3.0)))
    opt = torch.optim.Adam(model.parameters(), lr=0.05)
    x, y = observations(25)
    for _ in range(5):
        loss = model.evidence(x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    mean, variance = model.predict(x, y, torch.linspace(0, 4, 60)[:, None])
    print(mean.shape, variance.shape)


if __name__ == "__main__":
    main()
