"""Constants come before the imports here."""

__all__ = ["Block"]

from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
