import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


def evaluate(model: nn.Module, head: "Net", *, aux: Net):
    x = torch.zeros(1)
    return model(x), head(x), aux(x=x)


def load(path: str):
    model: nn.Module = torch.load(path)
    return model(torch.zeros(1))
