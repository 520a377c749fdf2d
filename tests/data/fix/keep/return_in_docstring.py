# tally: forward is unannotated
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        """forward(self, x: Tensor) -> Tensor"""
        return x
