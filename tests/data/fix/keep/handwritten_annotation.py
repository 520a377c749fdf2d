# tally: hand-written __call__
from collections.abc import Callable

from torch import Tensor, nn


class Net(nn.Module):
    __call__: Callable[..., Tensor]

    def forward(self, x: Tensor) -> Tensor:
        return x
