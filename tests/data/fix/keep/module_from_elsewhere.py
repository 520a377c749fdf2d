from ast import Module

from torch import Tensor


class Tree(Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
