from typing import TYPE_CHECKING

from torch import Tensor, nn
from torch.nn.modules.loss import _Loss


class Weighted(nn.modules.loss._WeightedLoss):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Dice(_Loss):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
