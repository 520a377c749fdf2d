# tally: forward has no annotation
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        """forward(self, x: Tensor) -> Tensor"""
        return x
