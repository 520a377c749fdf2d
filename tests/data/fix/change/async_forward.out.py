from typing import TYPE_CHECKING

from torch import Tensor, nn


class Remote(nn.Module):
    async def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        async def __call__(self, x: Tensor) -> Tensor: ...
