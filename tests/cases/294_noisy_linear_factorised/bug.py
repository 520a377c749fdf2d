import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class NoisyLinear(nn.Module):
    weight_epsilon: Tensor

    def __init__(self, n_in: int, n_out: int, std: float = 0.5) -> None:
        super().__init__()
        self.n_in, self.n_out = n_in, n_out
        bound = 1 / math.sqrt(n_in)
        self.weight_mu = nn.Parameter(torch.empty(n_out, n_in).uniform_(-bound, bound))
        self.weight_sigma = nn.Parameter(torch.full((n_out, n_in), std * bound))
        self.register_buffer("weight_epsilon", torch.empty(n_out, n_in))
        self.bias_mu = nn.Parameter(torch.empty(n_out).uniform_(-bound, bound))
        self.bias_sigma = nn.Parameter(torch.full((n_out,), std * bound))
        self.register_buffer("bias_epsilon", torch.empty(n_out))
        self.reset_noise()

    @staticmethod
    def scaled(size: int) -> Tensor:
        x = torch.randn(size)
        return x.sign() * x.abs().sqrt()

    def reset_noise(self) -> None:
        e_in, e_out = self.scaled(self.n_in), self.scaled(self.n_out)
        self.weight_epsilon.copy_(e_in.outer(e_out))
        self.bias_epsilon.copy_(e_out)

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            return F.linear(
                x, self.weight_mu + self.weight_sigma * self.weight_epsilon, self.bias_mu + self.bias_sigma * self.bias_epsilon
            )
        return F.linear(x, self.weight_mu, self.bias_mu)


class C51(nn.Module):
    def __init__(self, obs: int = 4, actions: int = 2, atoms: int = 11, v: float = 10.0) -> None:
        super().__init__()
        self.actions, self.atoms = actions, atoms
        self.register_buffer("support", torch.linspace(-v, v, atoms))
        self.net = nn.Sequential(nn.Linear(obs, 16), nn.ReLU(), NoisyLinear(16, actions * atoms))

    def forward(self, x: Tensor) -> Tensor:
        probs = self.net(x).view(-1, self.actions, self.atoms).softmax(-1)
        return (probs * self.support).sum(-1)


if __name__ == "__main__":
    net = C51()
    print(net(torch.randn(3, 4)).argmax(1), net.eval()(torch.randn(1, 4)).shape)
