from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    def compute(self, x: Tensor) -> Tensor:
        return x

    def extra(self) -> int:
        return 1


class Last(nn.Module):
    def compute(self, x: Tensor) -> Tensor:
        return x
