# -*- coding: latin-1 -*-

from torch import Tensor, nn


class Block(nn.Module):
    """Größe é."""

    def forward(self, x: Tensor) -> Tensor:
        return x
