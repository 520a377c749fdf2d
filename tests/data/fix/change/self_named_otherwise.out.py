from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    def forward(this, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(this, x: Tensor) -> Tensor: ...

    def dim(this) -> int:
        return 1
