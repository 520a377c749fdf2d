# tally: @no_grad may change the signature
from torch import Tensor, nn


def no_grad(fn):
    return lambda self, *xs: [fn(self, x) for x in xs]


class Net(nn.Module):
    @no_grad
    def forward(self, x: Tensor) -> Tensor:
        return x
