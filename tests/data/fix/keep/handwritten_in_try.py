# tally: hand-written __call__
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    try:
        __call__ = nn.Module.__call__
    except AttributeError:
        pass
