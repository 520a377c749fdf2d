# tally: hand-written __call__
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    async def __call__(self, x: Tensor) -> Tensor:
        return self.forward(x)
