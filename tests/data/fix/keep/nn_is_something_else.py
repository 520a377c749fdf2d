import types

from torch import Tensor

nn = types.SimpleNamespace(Module=object)


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
