import torch
from torch import Tensor


class StraightThrough(torch.autograd.Function):
    @staticmethod
    def forward(ctx: object, x: Tensor) -> Tensor:
        return x.round()

    @staticmethod
    def backward(ctx: object, grad: Tensor) -> Tensor:
        return grad


def quantise(x: Tensor) -> Tensor:
    out: Tensor = StraightThrough.apply(x)
    return out
