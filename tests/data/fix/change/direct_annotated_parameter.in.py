import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


def evaluate(model: nn.Module, head: "Net", *, aux: Net):
    x = torch.zeros(1)
    return model.forward(x), head.forward(x), aux.forward(x=x)


def load(path: str):
    model: nn.Module = torch.load(path)
    return model.forward(torch.zeros(1))
