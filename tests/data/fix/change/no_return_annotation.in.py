from typing import TYPE_CHECKING

from torch import Tensor, nn


class Half(nn.Module):
    def forward(self, x: Tensor, scale=1.0):
        return x * scale
