from typing import (
    TYPE_CHECKING,
    Any,
    Optional,
    TypeVar,  # for the blocks
)

from torch import Tensor, nn

T = TypeVar("T")


class Block(nn.Module):
    def forward(self, x: Tensor, mask: Optional[Tensor] = None):
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, mask: Optional[Tensor] = None) -> Any: ...
