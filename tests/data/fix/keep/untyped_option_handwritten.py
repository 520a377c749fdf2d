# options: --untyped
# tally: hand-written __call__
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x

    def __call__(self, x):
        return super().__call__(x)
