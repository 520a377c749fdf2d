# tally: forward is defined conditionally
from torch import Tensor, nn


class Net(nn.Module):
    for _ in range(2):

        def forward(self, x: Tensor) -> Tensor:
            return x
