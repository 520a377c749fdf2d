from functools import partial

from torch import Tensor, nn


def scaled(scale, fn):
    return lambda self, x: fn(self, x * scale)


class Net(nn.Module):
    @partial(scaled, 2)
    def forward(self, x: Tensor) -> Tensor:
        return x
