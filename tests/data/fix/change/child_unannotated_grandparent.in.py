from typing import TYPE_CHECKING, Any

from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Middle(Encoder):
    depth = 2


class PairEncoder(Middle):
    def forward(self, x, y):
        return x + y
