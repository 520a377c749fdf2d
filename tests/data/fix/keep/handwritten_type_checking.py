# tally: hand-written __call__
from typing import TYPE_CHECKING

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return x + y

    if TYPE_CHECKING:

        def __call__(self, x: Tensor) -> Tensor: ...
