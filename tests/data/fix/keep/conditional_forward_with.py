# tally: forward is defined conditionally
import contextlib

from torch import Tensor, nn


class Net(nn.Module):
    with contextlib.suppress(ImportError):

        def forward(self, x: Tensor) -> Tensor:
            return x
