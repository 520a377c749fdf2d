# tally: @property may change the signature
from collections.abc import Callable

from torch import Tensor, nn


class Net(nn.Module):
    @property
    def forward(self) -> Callable[[Tensor], Tensor]:
        return lambda x: x
