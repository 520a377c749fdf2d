import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return torch.utils.checkpoint.checkpoint(self.run, x, use_reentrant=False)

    def run(self, x):
        return x if x is not None else self.forward(x)
