import math

import torch
from torch import nn


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def source(x):
    """x (N,) -> (N,)"""
    return -(math.pi**2) * torch.sin(math.pi * x)


class Net(nn.Module):
    def __init__(self, width=20, depth=3):
        super().__init__()
        sizes = [1] + [width] * depth + [1]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.tanh(layer(x))
        return self.layers[-1](x)


def residual_loss(net, x):
    """x (N, 1) with requires_grad"""
    u = net(x)
    u_xx = grad(grad(u, x), x)
    r = u_xx.squeeze(1) - source(x[:, 0])
    return r.pow(2).mean()


def main():
    net = Net()
    x = torch.rand(50, 1, requires_grad=True)
    edge = torch.tensor([[0.0], [1.0]])
    loss = residual_loss(net, x) + net(edge).pow(2).mean()
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
