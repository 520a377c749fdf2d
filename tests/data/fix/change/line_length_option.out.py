# options: --line-length 60
from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return x * mask

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self, x: Tensor, mask: Tensor
        ) -> Tensor: ...
