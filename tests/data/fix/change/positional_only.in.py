from typing import TYPE_CHECKING

from torch import Tensor, nn


class Scale(nn.Module):
    def forward(self, x: Tensor, /, factor: float = 2.0) -> Tensor:
        return x * factor
