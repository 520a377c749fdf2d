# options: --style runtime
from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return x * mask


class Quiet(nn.Module):
    def forward(self, x: Tensor) -> None:
        print(x.shape)
