from typing import (
    TYPE_CHECKING,
    TypeVar,  # for the blocks
)

from torch import Tensor, nn

T = TypeVar("T")


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
