# tally: hand-written __call__
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    def __call__(self, x: Tensor) -> Tensor:
        result: Tensor = super().__call__(x)
        return result
