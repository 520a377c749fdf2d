# tally: forward is defined conditionally
import sys

from torch import Tensor, nn


class Net(nn.Module):
    if sys.platform == "win32":

        def forward(self, x: Tensor) -> Tensor:
            return x

    else:

        def forward(self, x: Tensor) -> Tensor:
            return -x
