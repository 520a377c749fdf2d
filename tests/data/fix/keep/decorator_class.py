from torch import Tensor, nn


class Hooked:
    def __init__(self, fn):
        self.fn = fn

    def __get__(self, obj, cls=None):
        return lambda *xs: [self.fn(obj, x) for x in xs]


class Net(nn.Module):
    @Hooked
    def forward(self, x: Tensor) -> Tensor:
        return x
