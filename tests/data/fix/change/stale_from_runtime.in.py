from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    def __call__(self, x: Tensor) -> Tensor:  # shapecheck: from forward
        result: Tensor = super().__call__(x)
        return result

    def extra(self) -> int:
        return 1
