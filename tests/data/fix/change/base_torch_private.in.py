from typing import TYPE_CHECKING

from torch import Tensor, nn
from torch.nn.modules.loss import _Loss


class Weighted(nn.modules.loss._WeightedLoss):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Dice(_Loss):
    def forward(self, x: Tensor) -> Tensor:
        return x
