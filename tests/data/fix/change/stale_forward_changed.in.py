from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor, scale: float = 1.0, *, bias: bool = False) -> Tensor:
        return x * scale + bias

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...

    def extra(self) -> int:
        return 1
