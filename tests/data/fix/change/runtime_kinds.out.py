# options: --style runtime
from typing import Any

from torch import Tensor, nn


class Block(nn.Module):
    def forward(
        self,
        x: Tensor,
        /,
        y: Tensor,
        *rest: Tensor,
        dim: int = 0,
        **options: Any,
    ) -> Tensor:
        return x + y

    def __call__(
        self,
        x: Tensor,
        /,
        y: Tensor,
        *rest: Tensor,
        dim: int = 0,
        **options: Any,
    ) -> Tensor:  # shapecheck: from forward
        result: Tensor = super().__call__(x, y, *rest, dim=dim, **options)
        return result
