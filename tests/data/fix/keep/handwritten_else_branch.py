# tally: hand-written __call__
from typing import TYPE_CHECKING

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if not TYPE_CHECKING:
        pass
    else:

        def __call__(self, x: Tensor) -> Tensor: ...
