# tally: forward has no annotation
from torch import nn


class Net(nn.Module):
    def forward(self, x, fn=lambda t: t, *, size={"a": 1}):
        return fn(x)
