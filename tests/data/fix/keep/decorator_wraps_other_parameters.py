# tally: @with_scale may change the signature
import functools

from torch import Tensor, nn


def with_scale(fn):
    @functools.wraps(fn)
    def run(self, x, scale=2):
        return fn(self, x * scale)

    return run


class Net(nn.Module):
    @with_scale
    def forward(self, x: Tensor) -> Tensor:
        return x
