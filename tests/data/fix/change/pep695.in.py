# python: 3.12
from typing import TYPE_CHECKING

from torch import Tensor, nn


class Passthrough[S](nn.Module):
    def forward[T](self, x: T, state: S) -> tuple[T, S]:
        return x, state


class Plain(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
