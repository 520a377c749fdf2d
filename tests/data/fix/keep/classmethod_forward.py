# tally: @classmethod may change the signature
from torch import Tensor, nn


class Net(nn.Module):
    @classmethod
    def forward(cls, x: Tensor) -> Tensor:
        return x
