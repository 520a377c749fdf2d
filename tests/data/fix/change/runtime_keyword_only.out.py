# options: --style runtime
from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor, *, dim: int) -> Tensor:
        return x.sum(dim)

    def __call__(self, x: Tensor, *, dim: int) -> Tensor:  # shapecheck: from forward
        result: Tensor = super().__call__(x, dim=dim)
        return result
