from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    if TYPE_CHECKING:
        scale: Tensor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
