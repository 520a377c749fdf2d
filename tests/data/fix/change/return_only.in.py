from typing import TYPE_CHECKING

from torch import Tensor, nn


class Constant(nn.Module):
    def forward(self, x) -> Tensor:
        return x


class Step(nn.Module):
    def forward(self) -> None:
        return None
