from typing import TYPE_CHECKING

from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class PairEncoder(Encoder):
    def forward(self, x, y, z=None):
        return x + y


pair = PairEncoder()(1, 2)
