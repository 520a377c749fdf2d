# options: --style runtime
from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return x * mask

    def __call__(self, x: Tensor, mask: Tensor) -> Tensor:  # shapecheck: from forward
        result: Tensor = super().__call__(x, mask)
        return result
