from typing import (
    Optional,
    TypeVar,  # for the blocks
)

from torch import Tensor, nn

T = TypeVar("T")


class Block(nn.Module):
    def forward(self, x: Tensor, mask: Optional[Tensor] = None):
        return x
