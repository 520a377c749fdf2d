from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    def forward(this, x: Tensor) -> Tensor:
        return x

    def dim(this) -> int:
        return 1
