# tally: hand-written __call__
from torch import Tensor, nn


class Net(nn.Module):
    from operator import call as __call__  # noqa: F401

    def forward(self, x: Tensor) -> Tensor:
        return x
