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
