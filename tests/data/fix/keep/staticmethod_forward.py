# tally: @staticmethod may change the signature
from torch import Tensor, nn


class Net(nn.Module):
    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x
