import torch
from torch import nn


class Net(nn.Linear):
    @classmethod
    def run(cls, net, x: torch.Tensor):
        return cls.forward(net, x)
