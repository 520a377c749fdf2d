from torch import Tensor


class Module:
    pass


class Block(Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
