from typing import TYPE_CHECKING

from torch import Tensor, nn


class Masked(nn.Module):
    def forward(self, x: Tensor, mask: Tensor = None, dropout: float = None) -> Tensor:
        return x if mask is None or dropout is None else x * mask
