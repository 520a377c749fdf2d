from typing import TYPE_CHECKING

from torch import Tensor, nn


def make(scale: float) -> nn.Module:
    class Scaled(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x * scale

    return Scaled()
