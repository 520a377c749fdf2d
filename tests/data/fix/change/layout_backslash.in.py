from typing import TYPE_CHECKING

from torch import Tensor, nn


class Slashed(nn.Module):
    def forward(self, x: Tensor) \
            -> Tensor:
        return x
