from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
        # todo: a residual connection

    # helpers
    def extra(self) -> int:
        return 1
