from typing import TYPE_CHECKING, Optional, cast

from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        return cast(Tensor, x if mask is None else x * mask)

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor: ...
