# tally: hand-written __call__
import sys

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if sys.version_info >= (3, 8):

        def __call__(self, x: Tensor) -> Tensor:
            result: Tensor = super().__call__(x)
            return result
