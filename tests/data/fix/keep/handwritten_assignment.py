# tally: hand-written __call__
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    __call__ = forward
